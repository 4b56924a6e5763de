import { isActive } from './appointment.ts'
import { missingForInstallation } from './installation-ready.ts'
import { furthest, type ProjectFacts, readyFactsOf } from './project.ts'
import type { Service } from './services.ts'

/** What keeps a customer from booking a service at all, whatever the hour. */
export type Hindrance = 'address' | 'active_one' | 'area' | 'not_ready' | 'finished'

/** The first thing in the way of a booking; null when nothing is. A call needs no place. */
export function hindranceOf(service: Service, facts: ProjectFacts): Hindrance | null {
  const isCall = service === 'videocall'
  if (!isCall && facts.area === 'none') return 'address'
  if (facts.appointments.some((part) => part.service === service && isActive(part.state))) return 'active_one'
  if (!isCall && facts.area !== 'served') return 'area'
  if (service !== 'installation') return null
  if (furthest(facts, service)) return 'finished'
  return missingForInstallation(readyFactsOf(facts)).length > 0 ? 'not_ready' : null
}
