import type { Actor } from '../../domain/access/actor.ts'
import type { Booking, Service } from '../../domain/appointments/appointment.ts'
import type { Db } from '../platform/database/database.ts'
import { activeCustomer } from '../users/active-customer.ts'
import { bookFor } from './book.ts'
import type { Booked } from './wish.ts'

/** Books for a customer who calls: the same slots and rules as the customer's own, and the same letter. */
export async function bookForCaller(
  db: Db,
  actor: Actor,
  customerId: string,
  service: Service,
  booking: Booking,
  now: Date,
): Promise<Booked> {
  const { id, emailVerified } = await activeCustomer(db, actor, customerId)
  return bookFor(
    db,
    { customerId: id, emailVerified, actorId: actor.id, isCaller: true, address: null },
    service,
    booking,
    now,
  )
}
