-- What does each kitty hold at the end of its session, and what came of it from an earlier one?
--   session, title, played_on   which session
--   unit_numerator, unit_denominator, currency, decimals   what one counter costs there; empty: no price
--   forward               units that an earlier session left
--   taken                 units taken from pools
--   paid, spent, shared   units paid to players, spent, shared at the close
--   borne                 units that counters missing in a count added; below nought: that counters too many took
--   balance               units in it now: forward + taken + borne less the others
select
    sessions.session,
    sessions.title,
    sessions.played_on,
    sessions.unit_numerator,
    sessions.unit_denominator,
    sessions.currency,
    sessions.decimals,
    sessions.kitty_forward as forward,
    cast(coalesce(sum(case when kitty.kind = 'taken' then kitty.units end), 0) as bigint) as taken,
    cast(coalesce(sum(case when kitty.kind = 'paid' then kitty.units end), 0) as bigint) as paid,
    cast(coalesce(sum(case when kitty.kind = 'spent' then kitty.units end), 0) as bigint) as spent,
    cast(coalesce(sum(case when kitty.kind = 'shared' then kitty.units end), 0) as bigint) as shared,
    cast(coalesce(sum(case when kitty.kind = 'borne' then kitty.units end), 0) as bigint) as borne,
    sessions.kitty as balance
from scope_sessions as sessions
left join kitty on kitty.session = sessions.session
group by
    sessions.session, sessions.title, sessions.played_on, sessions.unit_numerator, sessions.unit_denominator,
    sessions.currency, sessions.decimals, sessions.kitty_forward, sessions.kitty, sessions.opened_at
order by sessions.opened_at, sessions.session
