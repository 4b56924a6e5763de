import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { addDays, daysFrom, daysOn, localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { db } from '../../server/app/context.ts'
import { hasOwnDay, ownStops } from '../../server/appointments/own-day.ts'
import { currentStaffing } from '../../server/scheduling/roster.ts'
import { requireActor } from '../lib/require-actor.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

/** What stands above the list for whoever carries appointments out: today, or with `?vista=semana` a week; null for the others. */
export async function loadOwn({ context, url }: Asked) {
  const [database, actor] = [context.get(db), requireActor(context)]
  if (!hasOwnDay(actor)) return null
  const moment = new Date()
  const now = toMinutes(moment)
  const days = url.searchParams.get('vista') === 'semana' ? weekOf(url, now) : daysFrom(now, 1)
  const { settings } = await currentStaffing(database)
  const stops = await ownStops(database, actor, days[0]!, days.at(-1)!)
  return {
    now: moment,
    today: localDate(now),
    isWeek: days.length > 1,
    window: settings.arrivalWindowMinutes,
    days: days.map(({ date }) => ({ date, stops: stops.filter((stop) => stop.date === date) })),
    previous: addDays(days[0]!.date, -7),
    next: addDays(days[0]!.date, 7),
  }
}

export type Own = NonNullable<Awaited<ReturnType<typeof loadOwn>>>

const someDate = z.iso.date().startsWith('20')

/** The seven days from Monday on of the week of `?dia=`, or of this one. */
function weekOf(url: URL, now: number) {
  const date = someDate.safeParse(url.searchParams.get('dia')).data ?? localDate(now)
  const [day] = daysOn(date, 1)
  return daysOn(addDays(date, -day!.weekday), 7)
}
