import { eq } from 'drizzle-orm'
import { servicePages } from '../../appointments/calendar.ts'
import { longMomentFor } from '../../appointments/rules/promise.ts'
import { helps } from '../../appointments/rules/rules.ts'
import type { Db } from '../../platform/database/client.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import {
  appointments,
  moveOffers,
  slotOffers,
  slotWishes,
} from '../../platform/database/schema/appointments.ts'
import type { OfferEmailJob } from '../../platform/jobs/emails.ts'
import { longDateTime, theTime } from '../../shared/format.ts'
import {
  activeCustomer,
  type Email,
  type EmailBody,
  type EmailContext,
  type EmailsOf,
  type Fact,
  type Recipient,
  recipient,
} from '../email.ts'
import { dayFact, serviceName } from './appointment.ts'
import type { AppointmentEmailData } from './appointment-data.ts'
import { timeFact } from './appointment-data.ts'

/** A time offered to a customer. `from` is the booked time it would replace; null when nothing is booked. */
type OfferFacts = Pick<AppointmentEmailData, 'service' | 'startsAt'> & {
  from: Date | null
  expiresAt: Date
  open: boolean
  customer: Recipient
}

/** The e-mails to a customer to whom a time is offered. */
export const offerEmails = {
  customer: {
    slot_offer: toCustomer(slotOffer, (offer) => ({
      subject: `Se abrió un lugar antes para tu ${serviceName(offer)}`,
      heading: 'Se abrió un lugar antes',
      paragraphs: [
        `Tienes hasta ${theTime(offer.expiresAt)} También avisamos a otras personas: se lo queda quien lo elija primero.`,
        offer.from
          ? 'Si no lo tomas, tu cita sigue como está.'
          : 'Si no lo tomas, te avisamos cuando se abra otro.',
      ],
    })),
    move_offer: toCustomer(moveOffer, (offer) => ({
      subject: `Te proponemos otro horario para tu ${serviceName(offer)}`,
      heading: 'Te proponemos otro horario',
      paragraphs: [
        'La persona que te iba a atender no puede ese día. Lo sentimos.',
        `Dinos si te queda bien antes del ${longDateTime(offer.expiresAt)} Este cambio no cuenta entre los tuyos.`,
      ],
    })),
  },
} satisfies EmailsOf<OfferEmailJob>

function toCustomer(
  find: (db: Db, id: string) => Promise<OfferFacts | null>,
  compose: (offer: OfferFacts) => Omit<EmailBody, 'facts'>,
): Email<OfferEmailJob, OfferFacts> {
  return {
    load: (db, { offerId }) => find(db, offerId),
    isRelevant: ({ expiresAt, open, startsAt }, now) => open && expiresAt > now && startsAt > now,
    recipients: activeCustomer,
    compose: (offer, _reader, context) => ({
      ...compose(offer),
      facts: [dayFact(offer), timeFact(offer, context), currentFact(offer, context)],
      link: { label: 'Ver el horario', href: context.baseUrl + servicePages[offer.service] },
    }),
  }
}

const currentFact = ({ from, service }: OfferFacts, { settings }: EmailContext): Fact | null =>
  from && ['Tu cita actual', longMomentFor({ service, startsAt: from }, settings.arrivalWindowMinutes)]

async function slotOffer(db: Db, id: string): Promise<OfferFacts | null> {
  const [row] = await db
    .select({
      service: slotWishes.service,
      startsAt: slotOffers.startsAt,
      expiresAt: slotOffers.expiresAt,
      answer: slotOffers.answer,
      ended: slotWishes.endedAt,
      from: appointments.startsAt,
      customer: recipient,
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

async function moveOffer(db: Db, id: string): Promise<OfferFacts | null> {
  const [row] = await db
    .select({
      service: appointments.service,
      startsAt: moveOffers.toStartsAt,
      expiresAt: moveOffers.expiresAt,
      answer: moveOffers.answer,
      state: appointments.state,
      startsNow: appointments.startsAt,
      from: moveOffers.fromStartsAt,
      customer: recipient,
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
