-- What went into the kitties and out of them, movement by movement?
--   session, title, played_on   which session
--   unit_numerator, unit_denominator, currency, decimals   what one counter costs there; empty: no price
--   event                 the version of the event in its session
--   hand                  the hand it belongs to; empty: none
--   kind                  taken, paid, spent, shared, forward (of an earlier session), borne (a difference)
--   units                 units, positive, the kind says which way (borne: what it added)
--   player                who was paid, or from whose pool it was taken; empty: of several or nobody
--   reason                what for
--   balance               units in the session's kitty after it
--   told_at               when
select
    kitty.session,
    sessions.title,
    sessions.played_on,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    kitty.event,
    kitty.hand,
    kitty.kind,
    kitty.units,
    kitty.player,
    kitty.reason,
    kitty.balance,
    kitty.told_at
from kitty
inner join scope_sessions as sessions on sessions.session = kitty.session
order by sessions.opened_at, kitty.session, kitty.event, kitty.balance
