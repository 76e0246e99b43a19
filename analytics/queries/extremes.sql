-- What were a player's best and worst hand, and the largest pool he won a share of, and when?
--   player, part     whose, and which part of the division
--   what             best_hand_net, worst_hand_net or biggest_pool
--   units            the net, or the whole pool
--   session, hand    where: the first time it was so
with most as (
    select
        player,
        part,
        max(best_hand_net) as best_hand_net,
        min(worst_hand_net) as worst_hand_net,
        max(biggest_pool) as biggest_pool
    from scope_nets
    group by player, part
),

wanted as (
    select player, part, 'best_hand_net' as what, best_hand_net as units from most
    union all
    select player, part, 'worst_hand_net' as what, worst_hand_net as units from most
    union all
    select player, part, 'biggest_pool' as what, biggest_pool as units from most where biggest_pool > 0
),

in_session as (
    select wanted.player, wanted.part, wanted.what, wanted.units, scope_nets.session, sessions.opened_at
    from wanted
    inner join scope_nets
        on scope_nets.player = wanted.player
        and scope_nets.part = wanted.part
        and case wanted.what
            when 'best_hand_net' then scope_nets.best_hand_net
            when 'worst_hand_net' then scope_nets.worst_hand_net
            else scope_nets.biggest_pool
        end = wanted.units
    inner join sessions on sessions.session = scope_nets.session
),

first_session as (
    select player, part, what, units, session
    from (
        select
            in_session.*,
            row_number() over (partition by player, part, what order by opened_at, session) as place
        from in_session
    ) as placed
    where place = 1
)

select
    first_session.player,
    first_session.part,
    first_session.what,
    first_session.units,
    first_session.session,
    min(scope_hands.hand) as hand
from first_session
inner join scope_hands
    on scope_hands.session = first_session.session
    and scope_hands.player = first_session.player
    and scope_hands.part = first_session.part
    and case first_session.what when 'biggest_pool' then scope_hands.pool_won else scope_hands.net end
    = first_session.units
group by
    first_session.player, first_session.part, first_session.what, first_session.units, first_session.session
