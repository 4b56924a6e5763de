import { randomUUID } from 'node:crypto'
import { wouldBeClaimed } from '../../accounts/email-change.ts'
import { customerToActFor } from '../../accounts/people.ts'
import { appointmentsOfProject, bookableProject } from '../../appointments/project-appointments.ts'
import { isActive, type Service, services } from '../../appointments/rules/appointment.ts'
import { areaTaskOf } from '../../customers/customer-file.ts'
import { streetLine } from '../../customers/overview.ts'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { type Db, isId } from '../../platform/database/client.ts'
import { openHomesOf } from '../../projects/open-project.ts'
import { coloniasOf, placeOfCode } from '../../projects/postal-list.ts'
import { homeNames, meantProject, otherHomeIn, projectParam } from '../../projects/rules/homes.ts'
import { missingForInstallation } from '../../projects/rules/next-step.ts'
import { noProject, readyFactsOf } from '../../projects/rules/project.ts'
import { deskAgenda } from '../../scheduling/desk-slots.ts'
import { zoneOf } from '../../scheduling/roster.ts'
import { noZone } from '../../scheduling/rules/roster.ts'
import { dateIn, keptBoard, startIn } from '../../scheduling/screens/board-query.ts'
import { countOf } from '../../shared/count.ts'
import { tidy } from '../../shared/text.ts'
import { usersPage } from '../../users/queries.ts'
import { calledBy } from '../../users/rules/user.ts'

export type FoundCallers = Awaited<ReturnType<typeof foundCallers>>
export type CallersBooking = Awaited<ReturnType<typeof callersBooking>>

const shownAtMost = 10

/** The customers that a search finds; without words, none. */
export async function foundCallers(context: LoaderContext, url: URL) {
  const text = tidy(url.searchParams.get('q')).slice(0, 100).trim()
  if (!text) return { text, callers: [], more: countOf(0) }
  const filters = { text, role: 'customer' as const, active: true }
  const { db, actor } = signedIn(context)
  const { rows, total, isMore } = await usersPage(db, actor, filters, undefined)
  const callers = rows
    .slice(0, shownAtMost)
    .map((user) => ({ id: user.uid, name: calledBy(user), email: user.email, phone: user.phone }))
  return { text, callers, more: { total: total - callers.length, isMore } }
}

/** A customer who calls: what is known, and what can be booked of the requested service. */
export async function callersBooking(context: LoaderContext, url: URL, id: string) {
  const { db, actor } = signedIn(context)
  const customer = await customerToActFor(db, actor, id)
  const service = services.find((one) => one === url.searchParams.get('servicio')) ?? 'technical_visit'
  const homes = [...homeNames(await openHomesOf(db, id))]
  const open = homes.map(([home]) => home)
  const other = otherHomeIn(url)
  const named = open.find((home) => home === (other ?? url.searchParams.get(projectParam))) ?? null
  const meant = other ? { id: other } : meantProject(open, named)
  const { hindrance, project, facts } =
    typeof meant === 'object'
      ? await bookableProject(db, { id, projectId: meant.id }, service)
      : { hindrance: null, project: null, facts: noProject }
  const address = project?.address ?? null
  const zone = service === 'videocall' || !address ? noZone : zoneOf(address.municipality)
  const con = url.searchParams.get('con') ?? ''
  const date = dateIn(url.searchParams.get('dia'), '') || null
  const input = { service, zone, date, asked: startIn(url), personId: isId(con) ? con : null }
  return {
    id,
    service,
    hindrance,
    name: calledBy(customer),
    firstName: customer.name ?? '',
    email: customer.email,
    phone: customer.phone,
    emailVerified: customer.emailVerified,
    takenOver: await wouldBeClaimed(db, customer),
    /** The homes of a customer with several projects, and whether one is still to be chosen. */
    homes: homes.length > 1 ? homes : [],
    asksHome: typeof meant === 'string',
    projectId: project?.id ?? null,
    place: address && streetLine(address),
    unverifiedHome:
      project && address?.area === 'to_verify'
        ? { version: address.version, taskId: await areaTaskOf(db, actor, project.id) }
        : null,
    missing: hindrance === 'not_ready' ? missingForInstallation(readyFactsOf(facts)) : [],
    active: project && hindrance === 'active_one' ? await activeOf(db, id, project.id, service) : null,
    /** The board to lead back to. */
    kept: { ...keptBoard(url), ...(named && { [projectParam]: named }) },
    agenda: hindrance === null && typeof meant === 'object' ? await deskAgenda(db, input, new Date()) : null,
    // Made here and kept by the form: sent twice, it is one appointment.
    requestKey: randomUUID(),
  }
}

async function activeOf(database: Db, customerId: string, projectId: string, service: Service) {
  const appointments = await appointmentsOfProject(database, customerId, projectId)
  const active = appointments.find((one) => one.service === service && isActive(one.state))
  return active ? { id: active.id, folio: active.folio, service } : null
}

/** Where the postal code is that a form asks about, and its colonias; null where it asks about none. */
export async function askedPlace(context: LoaderContext, url: URL) {
  const code = url.searchParams.get('codigo') ?? ''
  if (!/^\d{5}$/.test(code)) return null
  const { db } = requestOf(context)
  const [place, colonias] = await Promise.all([placeOfCode(db, code), coloniasOf(db, code)])
  return { code, place, colonias }
}
export type AskedPlace = Awaited<ReturnType<typeof askedPlace>>
