import type { RouterContextProvider } from 'react-router'
import { type Service, services } from '../../domain/appointments/appointment.ts'
import { db } from '../../server/app/context.ts'
import type { Overview } from '../../server/projects/overview.ts'
import { waitingOf } from '../../server/scheduling/queries.ts'
import { someone } from '../lib/someone.ts'

/** A time that waits for its customer's answer: another one because of us, or an earlier one that opened. */
export type OpenOffer = { id: string; service: Service; isMove: boolean; startsAt: Date; expiresAt: Date }

/** What waits for a customer's answer now, of every service. */
export async function openOffersOf(
  context: Readonly<RouterContextProvider>,
  overview: Overview,
  now: Date,
): Promise<OpenOffer[]> {
  const [database, actor] = [context.get(db), someone(context)]
  const all = services.map(async (service): Promise<OpenOffer[]> => {
    const { moveOffer: move } = overview.services[service]
    const { offer } = await waitingOf(database, actor, service, now)
    return [
      ...(move ? [{ id: move.id, service, isMove: true, startsAt: move.to, expiresAt: move.expiresAt }] : []),
      ...(offer && !offer.isGone ? [{ ...offer, service, isMove: false }] : []),
    ]
  })
  return (await Promise.all(all)).flat()
}
