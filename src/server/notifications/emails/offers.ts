import { eq } from 'drizzle-orm'
import { longDateTime, theTime, time } from '../../../domain/shared/format.ts'
import { helps } from '../../../domain/waiting-list.ts'
import { servicePages } from '../../calendar/entries.ts'
import { users } from '../../database/account-schema.ts'
import { appointments, moveOffers, slotOffers, slotWishes } from '../../database/appointment-schema.ts'
import type { Db } from '../../database/database.ts'
import type { AboutOffer } from '../jobs.ts'
import { reader } from '../recipients.ts'
import { type House, hour, type Reader, serviceName, type Told, when } from '../told.ts'
import { laidOut, type Words, type Written } from '../written.ts'

/** A time held out to a customer. `from` is what it would take the place of, null when nothing is booked. */
type Offer = Pick<Told, 'service' | 'startsAt'> & {
  from: Date | null
  expiresAt: Date
  open: boolean
  customer: Reader & { id: string; email: string; active: boolean }
}

const words: Record<AboutOffer['letter'], (offer: Offer, house: House) => Words> = {
  slot_offer: (offer, house) => ({
    subject: `Se abrió un lugar antes para tu ${serviceName(offer)}`,
    heading: 'Se abrió un lugar antes',
    paragraphs: [
      `Tómalo antes de ${theTime(offer.expiresAt)} También avisamos a otras personas: se queda con quien lo tome primero.`,
      offer.from
        ? 'Si no lo tomas, tu cita sigue como está.'
        : 'Si no lo tomas, te avisamos cuando se abra otro.',
    ],
    facts: [when(offer), hour(offer, house), formerly(offer)],
  }),
  move_offer: (offer, house) => ({
    subject: `Te proponemos otro horario para tu ${serviceName(offer)}`,
    heading: 'Te proponemos otro horario',
    paragraphs: [
      'La persona que te iba a atender no puede ese día. Lo sentimos.',
      `Dinos si te queda bien antes del ${longDateTime(offer.expiresAt)} Este cambio no cuenta entre los tuyos.`,
    ],
    facts: [when(offer), hour(offer, house), formerly(offer)],
  }),
}

const formerly = ({ from }: Offer) => from && (['Ahora la tienes', longDateTime(from)] as const)

/** The letter of an offer with whom it goes to; null when nobody can take it up any more. */
export async function offerLetter(db: Db, job: AboutOffer, house: House, now: Date) {
  const offer = await (job.letter === 'slot_offer' ? slotOffer : moveOffer)(db, job.offerId)
  if (!offer?.open || offer.expiresAt <= now || offer.startsAt <= now || !offer.customer.active) return null
  const said = words[job.letter](offer, house)
  const link = { label: 'Ver el horario', href: house.baseUrl + servicePages[offer.service] }
  const letter: Written = laidOut(said, offer.customer, house, link)
  return { reader: offer.customer, letter }
}

async function slotOffer(db: Db, id: string): Promise<Offer | null> {
  const [row] = await db
    .select({
      service: slotWishes.service,
      startsAt: slotOffers.startsAt,
      expiresAt: slotOffers.expiresAt,
      answer: slotOffers.answer,
      ended: slotWishes.endedAt,
      from: appointments.startsAt,
      customer: reader,
    })
    .from(slotOffers)
    .innerJoin(slotWishes, eq(slotWishes.id, slotOffers.wishId))
    .innerJoin(users, eq(users.id, slotWishes.customerId))
    .leftJoin(appointments, eq(appointments.id, slotWishes.appointmentId))
    .where(eq(slotOffers.id, id))
  if (!row) return null
  const isEarlier = helps({ has: row.from }, row.startsAt)
  return { ...row, open: row.answer === null && row.ended === null && isEarlier }
}

async function moveOffer(db: Db, id: string): Promise<Offer | null> {
  const [row] = await db
    .select({
      service: appointments.service,
      startsAt: moveOffers.toStartsAt,
      expiresAt: moveOffers.expiresAt,
      answer: moveOffers.answer,
      state: appointments.state,
      startsNow: appointments.startsAt,
      from: moveOffers.fromStartsAt,
      customer: reader,
    })
    .from(moveOffers)
    .innerJoin(appointments, eq(appointments.id, moveOffers.appointmentId))
    .innerJoin(users, eq(users.id, appointments.customerId))
    .where(eq(moveOffers.id, id))
  if (!row) return null
  const stands = row.state === 'requested' || row.state === 'assigned'
  const unmoved = row.startsNow.getTime() === row.from.getTime()
  return { ...row, open: row.answer === null && stands && unmoved }
}
