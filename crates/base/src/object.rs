//! Objects in JSON.

/// Creates an object from its fields, which JSON lists in this order.
#[macro_export]
macro_rules! object {
    ($($(#[$attribute:meta])* $field:ident: $value:expr),* $(,)?) => {{
        #[allow(non_camel_case_types, reason = "the type of a field has its name")]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($field),*> {
                $($(#[$attribute])* $field: $field),*
            }
            Object { $($field: $value),* }
        };
        object
    }};
}
