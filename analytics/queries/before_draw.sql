-- What did players do before the draw?
--   player, part   whose, and which part of the division asked for (empty: no division)
--   vpip_n, vpip_of   put in counters of his own accord before the draw / dealt in and had a say before the draw
--   opened_n, opened_of   was the first to go in / had a say before anybody had gone in
--   raised_before_n, raised_before_of   raised before the draw, or opened above the least / had a say before the draw
--   reraised_before_n, reraised_before_of   raised a raise before the draw / had a say when just one raise stood, another's
--   called_raise_n, called_raise_of   called a raise before the draw / had a say before the draw facing another's raise
--   passed_to_raise_n, passed_to_raise_of   passed to a raise before the draw / as called_raise
--   ante_defended_n, ante_defended_of   made good his ante, blind or straddle / had a say when a stake above his post stood
--   straddled_n, straddled_of   straddled / had the option to straddle
select
    player,
    part,
    cast(sum(vpip_n) as bigint) as vpip_n,
    cast(sum(vpip_of) as bigint) as vpip_of,
    cast(sum(opened_n) as bigint) as opened_n,
    cast(sum(opened_of) as bigint) as opened_of,
    cast(sum(raised_before_n) as bigint) as raised_before_n,
    cast(sum(raised_before_of) as bigint) as raised_before_of,
    cast(sum(reraised_before_n) as bigint) as reraised_before_n,
    cast(sum(reraised_before_of) as bigint) as reraised_before_of,
    cast(sum(called_raise_n) as bigint) as called_raise_n,
    cast(sum(called_raise_of) as bigint) as called_raise_of,
    cast(sum(passed_to_raise_n) as bigint) as passed_to_raise_n,
    cast(sum(passed_to_raise_of) as bigint) as passed_to_raise_of,
    cast(sum(ante_defended_n) as bigint) as ante_defended_n,
    cast(sum(ante_defended_of) as bigint) as ante_defended_of,
    cast(sum(straddled_n) as bigint) as straddled_n,
    cast(sum(straddled_of) as bigint) as straddled_of
from scope
group by player, part
