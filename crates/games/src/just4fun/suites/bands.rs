//! How values and policies are rated (thesis 000, tables 6.2 and 6.3).

use meeple_core::suite::Rating::{Acceptable, Successful, Unsuccessful};
use meeple_core::suite::{Band, Bands, Rating};

/// A band that ends with `to` included.
const fn to(to: f64, rating: Rating) -> Band {
    Band { to, closed: true, rating }
}

/// A band that ends before `to`.
const fn below(to: f64, rating: Rating) -> Band {
    Band { to, closed: false, rating }
}

/// Unsuccessful, acceptable and successful up to 1.
const fn policy(acceptable: f64, successful: f64) -> [Band; 3] {
    [to(acceptable, Unsuccessful), to(successful, Acceptable), to(1.0, Successful)]
}

pub(super) const WIN: Bands =
    Bands { value: &[to(0.6, Unsuccessful), to(0.8, Acceptable), to(4.0, Successful)], policy: &policy(0.6, 0.8) };

pub(super) const PREVENT: Bands = Bands {
    value: &[
        below(-0.8, Unsuccessful),
        below(-0.3, Acceptable),
        to(0.0, Successful),
        to(0.3, Acceptable),
        to(4.0, Unsuccessful),
    ],
    policy: &policy(0.6, 0.8),
};

pub(super) const PREVENT_CONTESTED: Bands = Bands {
    value: &[
        below(-0.8, Unsuccessful),
        below(-0.45, Acceptable),
        to(0.1, Successful),
        to(0.3, Acceptable),
        to(4.0, Unsuccessful),
    ],
    policy: &policy(0.6, 0.8),
};

pub(super) const DOUBLE: Bands = Bands {
    value: &[
        below(-0.1, Unsuccessful),
        to(0.0, Acceptable),
        to(0.6, Successful),
        to(1.0, Acceptable),
        to(4.0, Unsuccessful),
    ],
    policy: &policy(0.3, 0.45),
};

pub(super) const TRIANGLE: Bands = Bands {
    value: &[
        below(-0.1, Unsuccessful),
        to(0.1, Acceptable),
        to(0.6, Successful),
        to(1.1, Acceptable),
        to(4.0, Unsuccessful),
    ],
    policy: &policy(0.2, 0.45),
};

pub(super) const LAST: Bands =
    Bands { value: &[to(0.45, Unsuccessful), to(0.8, Acceptable), to(4.0, Successful)], policy: &policy(0.45, 0.8) };
