import { isActive } from '../appointments/appointment.ts'
import { faultTurn } from '../reports/warranty.ts'
import { isInstalled, type ProjectFacts, type Standing, standingOf } from './project.ts'

/** What besides a project's own parts says whose turn it is: since when another time is held out, and a fault is open. */
export type Beside = { askedSince: Date | null; faultSince: Date | null }

/** Stage of a project and whose turn it is, as shown to its customer and the ally who referred them. */
export function wholeStanding(facts: ProjectFacts, { askedSince, faultSince }: Beside): Standing {
  const standing = standingOf(facts, askedSince)
  if (!faultSince || askedSince || !isInstalled(facts)) return standing
  const visit = facts.appointments.find(
    ({ service, state }) => service === 'technical_visit' && isActive(state),
  )
  return { ...standing, ...faultTurn({ since: faultSince }, visit ?? null) }
}
