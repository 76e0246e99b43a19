-- How often was each class shown, and how often did it win?
--   player    whose; the table has all
--   class     the class by the rules of its session, in order of class_order
--   shown     how often it was shown at a show of two or more
--   won       how often it won a share
select
    shown_hands.player,
    shown_hands.class,
    shown_hands.class_order,
    count(*) as shown,
    count(case when shown_hands.won > 0 then 1 end) as won
from shown_hands
inner join scope_hands
    on scope_hands.session = shown_hands.session
    and scope_hands.hand = shown_hands.hand
    and scope_hands.player = shown_hands.player
group by shown_hands.player, shown_hands.class, shown_hands.class_order
