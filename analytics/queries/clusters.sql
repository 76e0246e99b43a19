-- How do nets vary from session to session (for intervals with sessions as clusters)?
--   player, part     whose, and which part of the division
--   sessions         sessions with a hand of his: the clusters
--   y, n             the sums of net and of hands over them
--   yy, yn, nn       the sums of their squares and products, one term per session
--   timed            sessions with time played, for rates per hour
--   ty, u            the sums of net and of seconds played over those
--   tyy, tyu, uu     the sums of their squares and products
--   qq, qy, qn       with q the sum of squared nets of the session's hands: sums of q*q, q*y, q*n
with per_session as (
    select
        scope_nets.player,
        scope_nets.part,
        scope_nets.session,
        cast(sum(scope_nets.hands) as decimal(18, 0)) as n,
        cast(sum(scope_nets.net) as decimal(18, 0)) as y,
        cast(sum(scope_nets.net_sq) as double) as q
    from scope_nets
    group by scope_nets.player, scope_nets.part, scope_nets.session
),

timed as (
    select
        per_session.*,
        cast(floor(coalesce(session_players.played_us, 0) / 1000000) as decimal(18, 0)) as u
    from per_session
    left join session_players
        on session_players.session = per_session.session and session_players.player = per_session.player
    where per_session.n > 0
)

select
    player,
    part,
    count(*) as sessions,
    cast(sum(y) as bigint) as y,
    cast(sum(n) as bigint) as n,
    sum(y * y) as yy,
    sum(y * n) as yn,
    sum(n * n) as nn,
    count(case when u > 0 then 1 end) as timed,
    cast(coalesce(sum(case when u > 0 then y end), 0) as bigint) as ty,
    cast(sum(u) as bigint) as u,
    coalesce(sum(case when u > 0 then y * y end), 0) as tyy,
    coalesce(sum(case when u > 0 then y * u end), 0) as tyu,
    sum(u * u) as uu,
    sum(q * q) as qq,
    sum(q * cast(y as double)) as qy,
    sum(q * cast(n as double)) as qn
from timed
group by player, part
