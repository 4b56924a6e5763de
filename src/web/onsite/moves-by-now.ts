import type { Actor } from '../../domain/actor.ts'
import type { AppointmentState } from '../../domain/appointment.ts'
import { can, type MoveName } from '../../domain/moves.ts'
import type { Service } from '../../domain/services.ts'

/** The moves that the phone can keep until there is a network. */
const kept = ['setOut', 'start', 'pause', 'resume'] as const satisfies readonly MoveName[]

type Shown = { service: Service; state: AppointmentState; startsAt: Date }

/** What its technician can do now by the clock of the phone: a page that was kept says what could be done when it was fetched. */
export function movesByNow(offered: readonly MoveName[], shown: Shown, now: Date): readonly MoveName[] {
  const facts = { ...unknown, ...shown, now }
  const mine = kept.filter((name) => can(name, itsTechnician, facts))
  return [...offered, ...mine.filter((name) => !offered.includes(name))]
}

/** Of whoever has the appointment's own screen open: whose it is was asked when the page was fetched. */
const itsTechnician: Actor = {
  ...{ id: '', email: '', emailVerified: true, name: null, lastname: null },
  ...{ role: 'staff', kind: 'tecnician', agencyId: null, twoFactor: false },
}
const unknown = {
  ...{ assigneeId: itsTechnician.id, provisional: false, customerId: '' },
  ...{ setOutAt: null, startedAt: null, customerWaitingSince: null, customerCameAt: null },
  ...{ callBackAskedAt: null, takenOverAt: null },
}
