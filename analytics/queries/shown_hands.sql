-- How often did a player show each class, and how often did it win?
--   player, part   whose, and which part of the division
--   class          the class by the rules of its session
--   shown          how often it was shown at a show of two or more
--   won            how often it won a share
select
    player,
    part,
    shown_class as class,
    count(*) as shown,
    count(case when won > 0 then 1 end) as won
from scope_hands
where shown_class is not null
group by player, part, shown_class
