import type { Db } from '../platform/database/client.ts'
import { followed } from '../platform/follows.ts'

/** All sessions of a user end, or all but one. `hadFeed`: a link to their calendar ended with them. */
export const sessionsEnded = followed<{ userId: string; hadFeed: boolean }>('sessions ended')

/** The owner of an unverified mailbox reported that the account is not theirs. `people` are notified after the commit. */
export const accountDisowned = followed<{ userId: string; now: Date; people: string[] }>('account disowned')

/** A customer's e-mail or phone is another. Follows after the commit: an attribution is locked before its user. */
export const contactChanged = followed<{ customerId: string; now: Date }, Db>('contact changed')

export const customerBecameStaff = followed<{ customerId: string; actorId: string | null; now: Date }>(
  'customer became staff',
)
