import { redirect } from 'react-router'
import { type Actor, isManager } from '../../access/rules/actor.ts'
import { accessLetterOf, makeAccessLink, resendAccess } from '../../accounts/access-letters.ts'
import { assignableStates, isActive } from '../../appointments/rules/appointment.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { listQuery, matching, oneOf, readFilters } from '../../kit/list/filters.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { checked, form } from '../../kit/submit.ts'
import { customersAccountPath } from '../../payments/rules/paths.ts'
import { seesPayments } from '../../payments/rules/payment.ts'
import { isId } from '../../platform/database/client.ts'
import { projectParam } from '../../projects/rules/homes.ts'
import { customerPath, mergePath } from '../../projects/rules/pipeline.ts'
import { losesProjects, reopensProjects } from '../../projects/rules/project.ts'
import { customerCallInput, endingInput, mergeInput, taskInput } from '../../projects/rules/schema.ts'
import { entryOf, timelineNames } from '../../projects/screens/timeline-words.ts'
import { writesQuotes } from '../../quotes/rules/quote.ts'
import { forCaller } from '../../scheduling/screens/board-query.ts'
import { refuse } from '../../shared/refusal.ts'
import { noFields } from '../../shared/schema.ts'
import { managesPeople } from '../../users/rules/user.ts'
import { personEditOf } from '../../users/screens/person-cards.tsx'
import { correctionForms } from '../../users/screens/user-forms.ts'
import { verifyArea } from '../addresses.ts'
import { type CustomerFile, customerFile, noteCustomerCall } from '../customer-file.ts'
import { askToLose, endingOf, loseProject, reopenProject } from '../ending.ts'
import { mergesCustomers } from '../rules/merge.ts'
import { entitiesOf, kindsFor, type TimelineKind, timelineKinds } from '../rules/timeline.ts'
import { takesTasks } from '../tasks.ts'
import { customerTimeline, readsOfTimeline } from '../timeline.ts'
import { mergesOf, undoMerge } from '../unmerge.ts'
import type { CustomerActions } from './customer-cards.tsx'

const kindNames = Object.keys(timelineKinds) as TimelineKind[]
const shownIn = { ver: oneOf(kindNames), proyecto: matching(/^[0-9a-f-]{36}$/i) }

/** Everything that the page of a customer shows; one that the actor may not see is not found. */
export async function loadCustomer(context: LoaderContext, url: URL, id: string) {
  const { db, actor, now, modules, calendarSource } = signedIn(context)
  const { after, filters } = readFilters(shownIn, url, matching(/^\d{1,15}$/))
  if (!isId(id)) refuse('not-found')
  const hasCases = modules.has('gesties')
  // Each part is read by its own visibility.
  const [found, timeline, ending, merges] = await Promise.all([
    customerFile(db, actor, id, filters.proyecto ?? null, now),
    loadTimeline(context, id, filters, after, hasCases),
    endingOf(db, actor, id, filters.proyecto ?? null, now),
    mergesOf(db, actor, id, now),
  ])
  const file = found ?? refuse('not-found')
  // The address of a customer who was merged leads to the one that stands.
  if (file.id !== id) throw redirect(customerPath(file.id) + url.search)
  const { baseUrl, brand } = calendarSource
  return {
    file,
    timeline,
    ending: ending?.id === file.project?.id ? ending : null,
    letter: file.access && accessLetterOf(file.access),
    edit: file.access && personEditOf(actor, userOf(file), file.access),
    wasSaved: file.access?.saved,
    person: userOf(file),
    actions: actionsOf(file, context),
    moves: movesOf(file, actor),
    asksToLose: !reopensProjects(actor) && file.project?.appointments.some(({ state }) => isActive(state)),
    merges,
    mergePath: mergesCustomers(actor) && file.access ? mergePath(id) : null,
    /** The list that the menu shows this page under. */
    list: modules.has('clients') ? { to: '/admin/clients', label: 'Clientes' } : listOfUsers(actor),
    accountPath: managesPeople(actor) ? `/admin/users/${id}` : null,
    editsAddress: isManager(actor) && file.active && !file.project?.closedAt,
    signInUrl: `${baseUrl}/signin`,
    hasCases,
    brand,
    now,
  }
}

const listOfUsers = (actor: Actor) =>
  managesPeople(actor) ? { to: '/admin/users', label: 'Usuarios' } : undefined

const userOf = ({ access, areaTask, isOffice, project, projects, ...person }: CustomerFile) => ({
  uid: person.id,
  kind: null,
  agency: null,
  ...person,
})

type Filters = { ver?: TimelineKind; proyecto?: string }

async function loadTimeline(
  context: LoaderContext,
  id: string,
  filters: Filters,
  after: string | undefined,
  hasCases: boolean,
) {
  const { db, actor } = signedIn(context)
  const read = readsOfTimeline(db, actor)
  const kind = filters.ver ?? null
  const { next, rows } = await customerTimeline(db, actor, id, {
    names: timelineNames,
    entities: entitiesOf(kind, read),
    before: after ? Number(after) : null,
  })
  const path = customerPath(id)
  const { proyecto } = filters
  const kept = proyecto ? { proyecto } : {}
  const at = (query: Record<string, string>) => path + listQuery({ ...kept, ...query })
  const narrowed = kind ? { ver: kind } : {}
  const kinds = kindsFor(read)
  return {
    entries: rows.map((row) => entryOf(row, actor.kind, hasCases)),
    kind,
    kinds,
    notesCalls: takesTasks(actor),
    to: {
      all: at({}),
      kinds: Object.fromEntries(kinds.map((ver) => [ver, at({ ver })])),
      first: after ? at(narrowed) : null,
      next: next === null ? null : at({ ...narrowed, after: String(next) }),
    },
  }
}

/** Where each booked appointment of the project is moved, by its id. */
const movesOf = ({ project }: CustomerFile, actor: Actor): Record<string, string> =>
  Object.fromEntries(
    (isManager(actor) ? (project?.appointments ?? []) : []).flatMap(({ id, state }) =>
      assignableStates.includes(state) ? [[id, `/admin/assignations/${id}/mover`]] : [],
    ),
  )

/** The next steps that the actor may take for the customer, each at its own screen. */
function actionsOf(file: CustomerFile, context: LoaderContext): CustomerActions {
  const { actor } = signedIn(context)
  const { active, id, project } = file
  const visits = project?.appointments ?? []
  // Of several the one to move is chosen in their list.
  const [move, ...others] = Object.values(movesOf(file, actor))
  const visited = visits.find(
    ({ outcome, service, state }) =>
      service === 'technical_visit' && !isActive(state) && outcome === 'completed',
  )
  const isOpen = project !== null && project.closedAt === null
  return [
    ...(isManager(actor) && active
      ? [{ label: 'Agendar', to: forCaller(id, serviceNext(project), ofProject(file)) }]
      : []),
    ...(move && others.length === 0 ? [{ label: 'Mover', to: move }] : []),
    ...(writesQuotes(actor) && isOpen && visited
      ? [{ label: 'Cotizar', to: `/admin/cotizations/add-quote/${visited.id}` }]
      : []),
    ...(seesPayments(actor) && isOpen ? [{ label: 'Cobrar', to: customersAccountPath(project.id) }] : []),
  ]
}

/** Named where its customer has others under way. */
const ofProject = ({ project, projects }: CustomerFile) =>
  project && !project.closedAt && projects.length > 1 ? { [projectParam]: project.id } : {}

/** What is booked next: the installation once everything for it is there. */
const serviceNext = (project: CustomerFile['project']) =>
  project?.standing.stage === 'installing' ? 'installation' : 'technical_visit'

/** What is done at the page of a customer. */
export function customerForms(context: LoaderContext, id: string, url: URL) {
  const { db, actor, now, calendarSource } = signedIn(context)
  const project = readFilters(shownIn, url).filters.proyecto ?? null
  const here = customerPath(id, project)
  return {
    ...checked(() => losesProjects(actor) || refuse('permission-denied'), {
      ...endingForms(context, here),
      'note-call': form(customerCallInput, async ({ result }) => {
        await noteCustomerCall(db, actor, { id, projectId: project }, result, now)
        return redirectWithToast(here, 'Llamada anotada', 'Queda en su historial.')
      }),
      'verify-area': form(taskInput['verify-area'], async (answer) => {
        await verifyArea(db, actor, answer, now)
        return redirectWithToast(here, 'Domicilio verificado', 'Le avisamos al cliente, si tiene correo.')
      }),
    }),
    ...checked(() => mergesCustomers(actor) || refuse('permission-denied'), {
      'undo-merge': form(mergeInput['undo-merge'], async ({ mergeId }) => {
        const { endedId, isCorrected } = await undoMerge(db, actor, mergeId, now)
        const words = isCorrected
          ? 'Cada ficha tiene otra vez lo suyo. El nombre o el teléfono que se corrigió después se quedó así.'
          : 'Cada ficha tiene otra vez lo suyo.'
        return redirectWithToast(customerPath(endedId), 'Deshiciste la unión', words)
      }),
    }),
    ...checked(() => managesPeople(actor) || refuse('permission-denied'), {
      ...correctionForms(context, id, here),
      'resend-access': form(noFields, async () => {
        const letter = await resendAccess(db, actor, id, now)
        return redirectWithToast(here, 'Le mandamos su acceso', sentWords[letter])
      }),
      'access-link': form(noFields, async () => ({
        link: await makeAccessLink(db, actor, id, calendarSource.baseUrl, now),
      })),
    }),
  }
}

const sentWords = {
  claim_account: 'En el correo elige su contraseña.',
  verify_email: 'En el correo confirma que es suyo.',
  reset_password: 'En el correo elige otra contraseña.',
}

/** Ends a project or reopens it, and redirects to `here`. */
function endingForms(context: LoaderContext, here: string) {
  const { db, actor } = signedIn(context)
  return {
    'lose-project': form(endingInput['lose-project'], async (input) => {
      await loseProject(db, actor, input, new Date())
      return redirectWithToast(
        here,
        'Proyecto cerrado',
        'Quedó como No concretado y ya no genera pendientes.',
      )
    }),
    'ask-to-lose': form(endingInput['ask-to-lose'], async (input) => {
      await askToLose(db, actor, input)
      return redirectWithToast(here, 'Se lo pedimos a la gerencia', 'Lo ve en su inicio, con tu motivo.')
    }),
    'reopen-project': form(endingInput['reopen-project'], async ({ projectId }) => {
      await reopenProject(db, actor, projectId)
      return redirectWithToast(here, 'Proyecto reabierto', 'Sigue donde se quedó.')
    }),
  }
}
