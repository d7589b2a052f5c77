// Input: toolbars with arrow keys, swipes, and the setting for single-key shortcuts.

/** Keeps the setting for single-key shortcuts from one visit to the next. */
export function remember(box) {
  try {
    box.checked = localStorage.getItem("shortcuts") !== "off";
    box.addEventListener("change", () => localStorage.setItem("shortcuts", box.checked ? "on" : "off"));
  } catch {
    // Without local storage, shortcuts are on.
  }
}

/** Lets arrow keys move along the buttons of a toolbar; only one of them is in the tab order. */
export function toolbar(bar) {
  const buttons = [...bar.querySelectorAll("button")];
  const rove = (one) => buttons.forEach((button) => (button.tabIndex = button === one ? 0 : -1));
  rove(buttons[0]);
  bar.addEventListener("focusin", (event) => rove(event.target));
  bar.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const seen = buttons.filter((button) => button.offsetParent);
    seen[(seen.indexOf(event.target) + by + seen.length) % seen.length].focus();
  });
}

/** Calls `step` for swipes, except over parts that scroll. */
export function swipe(area, scrolling, step) {
  let from = null;
  area.addEventListener("touchstart", ({ touches, target }) => {
    const scrolls = target.closest(".overview") || (target.closest(".scroller") && scrolling());
    from = touches.length === 1 && !scrolls ? [touches[0].clientX, touches[0].clientY] : null;
  }, { passive: true });
  area.addEventListener("touchend", ({ changedTouches: [touch] }) => {
    if (!from) return;
    const [right, down] = [touch.clientX - from[0], touch.clientY - from[1]];
    if (Math.abs(right) > 45 && Math.abs(right) > 2 * Math.abs(down)) step(right < 0 ? 1 : -1);
  }, { passive: true });
}
