import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Actor } from '../src/access/rules/actor.ts'
import type { Db, Tx } from '../src/platform/database/client.ts'
import { dropJobs } from '../src/platform/jobs/jobs.ts'
import type { Drive } from '../src/platform/storage/drive.ts'
import { localDate, minuteAt, toDate, toMinutes } from '../src/shared/calendar.ts'

/** Runs commands at past moments, inside one transaction. They send no jobs and announce no change. */
export type Past = {
  db: Db
  /** Sets the time that the database records for a command. */
  at: (moment: Date) => Promise<unknown>
}

/** Opens the past inside a transaction while `run` runs. */
export async function inThePast(tx: Tx, run: (past: Past) => Promise<void>): Promise<void> {
  await tx.$client.query(startClock)
  await run({
    db: commandsIn(tx),
    at: (moment) => tx.$client.query(`select set_config('seeds.now', $1, true)`, [moment.toISOString()]),
  })
  await tx.$client.query(stopClock)
}

/** A course of events. It yields the moment of its next step, which runs once that moment is the earliest of all stories. */
export type Story<Result = void> = AsyncGenerator<Date, Result, void>

/** What stories act with: commands at past moments, storage, users by their e-mail, and the time at which stories end. */
export type Stage = {
  past: Past
  drive: Drive
  now: Date
  actor: (email: string) => Actor
  manager: Actor
  analyst: Actor
}

/**
 * Runs stories side by side, each step at its moment, and `round` every midnight after which something happens. `told`
 * hears which part of the stories, from 0 to 1, is over.
 */
export async function play(
  past: Past,
  stories: readonly Story[],
  round: (at: Date) => Promise<unknown>,
  told: (done: number) => void,
): Promise<void> {
  const waiting: { story: Story; nth: number; at: Date }[] = []
  let over = 0
  const resume = async (story: Story, nth: number) => {
    const { done, value } = await story.next()
    if (done) told(++over / stories.length)
    else waiting.push({ story, nth, at: value })
  }
  for (const [nth, story] of stories.entries()) await resume(story, nth)
  for (let today = ''; waiting.length > 0; ) {
    waiting.sort((a, b) => a.at.getTime() - b.at.getTime() || a.nth - b.nth)
    const next = waiting.shift()!
    const day = localDate(toMinutes(next.at))
    if (day !== today) {
      const midnight = toDate(minuteAt(day, '00:00'))
      await past.at(midnight)
      await round(midnight)
      today = day
    }
    await past.at(next.at)
    await resume(next.story, next.nth)
  }
}

/**
 * A database for commands on the one connection of a transaction, of which each command's own transaction is a part:
 * where a command fails, nothing is loaded.
 */
function commandsIn({ $client }: Tx): Db {
  const none = Promise.resolve({ rows: [] })
  const client: pg.PoolClient = Object.create($client, {
    query: {
      value: (query: string | pg.QueryConfig, ...rest: never[]) => {
        const asked = typeof query === 'string' ? query.replace(/^(begin; *|commit$|rollback$)/, '') : query
        return asked === '' ? none : $client.query(asked, ...rest)
      },
    },
    release: { value: () => undefined },
  })
  dropJobs(client)
  // No screen is open before the demo world exists.
  const query = async (asked: string | pg.QueryConfig, ...rest: never[]) =>
    typeof asked === 'object' && asked.name === 'announce' ? { rows: [] } : $client.query(asked, ...rest)
  return drizzle({ connect: async () => client, query } as unknown as pg.Pool)
}

/**
 * While our own clock runs, `now()` in queries and column defaults, and the time of an update, are the moment that was
 * set. The clock starts and stops inside the transaction, so no other connection sees the changed tables.
 */
const startClock = `
  create function seeds_now() returns timestamptz language sql stable
    as $$ select current_setting('seeds.now')::timestamptz $$;
  create function seeds_stamp() returns trigger language plpgsql
    as $$ begin new.updated_at := seeds_now(); return new; end $$;
  ${eachDefault('now()', 'seeds_now()')}
  create function public.now() returns timestamptz language sql stable as $$ select seeds_now() $$;
  do $$ declare stamped regclass; begin
    for stamped in select attrelid from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'updated_at' and relkind = 'r' and relnamespace = 'public'::regnamespace
    loop execute format('create trigger seeds_stamp before update on %s for each row execute function seeds_stamp()', stamped);
    end loop;
  end $$;
  set local search_path to public, pg_catalog;`

const stopClock = `
  set local search_path to default;
  set constraints all immediate;
  drop function public.now;
  ${eachDefault('seeds_now()', 'now()')}
  drop function seeds_stamp cascade;
  drop function seeds_now;
  set constraints all deferred;`

function eachDefault(from: string, to: string): string {
  return `
  do $$ declare timed record; begin
    for timed in select adrelid::regclass as place, attname from pg_attrdef
      join pg_attribute on attrelid = adrelid and attnum = adnum join pg_class on pg_class.oid = adrelid
      where relnamespace = 'public'::regnamespace and pg_get_expr(adbin, adrelid) = '${from}'
    loop execute format('alter table %s alter %I set default ${to}', timed.place, timed.attname);
    end loop;
  end $$;`
}
