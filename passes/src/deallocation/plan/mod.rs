//! The decisions of deallocation, before any family carries them out in its own terms.
//!
//! `preconditions` says what programs must keep to, `existing` what the input frees itself, `own_frees` which
//! functions return what they do not own because of that, `decide` and
//! `status` who owns the rest, `dynamic` which functions hand a flag out with what they return, `returned` what that may be, `place`
//! where buffers are freed, `plan` all of it for one function, at the `points` it belongs to.

pub(crate) mod decide;
pub(crate) mod dynamic;
pub(crate) mod existing;
pub(crate) mod own_frees;
pub(crate) mod place;
#[expect(
    clippy::module_inception,
    reason = "the folder has all that leads to the plan, the file is the plan"
)]
pub(crate) mod plan;
pub(crate) mod points;
pub(crate) mod preconditions;
pub(crate) mod returned;
pub(crate) mod status;
