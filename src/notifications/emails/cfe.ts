import { eq, sql } from 'drizzle-orm'
import { neededOf, type PaperRow, papersOf } from '../../cfe/rows.ts'
import {
  type CaseState,
  caseKindLabels,
  caseLineWords,
  caseStateFacts,
  takesPapers,
} from '../../cfe/rules/case.ts'
import { owedByCustomer, paperLabel } from '../../cfe/rules/papers.ts'
import type { Db } from '../../platform/database/client.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import { cfeCases } from '../../platform/database/schema/cfe.ts'
import { addresses, projects } from '../../platform/database/schema/projects.ts'
import type {
  CaseEmailJob,
  CasesHandedEmailJob,
  CaseTurnEmailJob,
  ProjectEmailJob,
} from '../../platform/jobs/emails.ts'
import {
  activeCustomer,
  activeStaff,
  type Email,
  type EmailsOf,
  readySince,
  recipient,
  staffOrManagers,
  toBook,
} from '../email.ts'

type CaseFacts = NonNullable<Awaited<ReturnType<typeof loadCase>>>
const saysWhy: readonly CaseState[] = ['observed', 'rejected', 'cancelled']

const turnOfCustomer: Email<CaseTurnEmailJob, CaseFacts> = {
  load: loadCase,
  // What makes the installation ready has an e-mail of its own.
  isRelevant: (found, now, job) => isSameTurn(found, now, job) && !found.isReady,
  recipients: activeCustomer,
  compose({ customer, papers, row }, _reader, { baseUrl }) {
    const { folio, kind, reason, state, waitingOn } = row
    return {
      heading: turnHeading(row),
      folio,
      paragraphs: [
        caseLineWords({ state, turn: waitingOn }),
        ...(takesPapers(state) ? missingPapers(neededOf(row, papers)) : []),
      ],
      facts: [
        ['Trámite', caseKindLabels[kind]],
        ['Folio', folio],
        ['Estado', caseStateFacts[state].label],
        customer.emailVerified && saysWhy.includes(state) && reason !== null ? ['Motivo', reason] : null,
      ],
      link: { label: 'Ver mi trámite', href: `${baseUrl}/installation` },
    }
  },
}

/** To the gester of the case; where there is none, or they left, to the managers, who assign another. */
const toHandler = (
  isRelevant: Email<CaseEmailJob, CaseFacts>['isRelevant'],
  said: { heading: string; paragraphs: string[] },
): Email<CaseEmailJob, CaseFacts> => ({
  load: loadCase,
  isRelevant,
  recipients: (db, { row }) => staffOrManagers(db, row.gesterId),
  compose: ({ customer, lastname, row }, _reader, { baseUrl }) => ({
    ...said,
    folio: row.folio,
    facts: [
      ['Folio', row.folio],
      ['Trámite', caseKindLabels[row.kind]],
      ['Cliente', [customer.name, lastname].filter(Boolean).join(' ')],
      ['Estado', caseStateFacts[row.state].label],
    ],
    link: { label: 'Abrir', href: `${baseUrl}/admin/gesties/${row.id}` },
  }),
})

const casesHanded: Email<CasesHandedEmailJob, CasesHandedEmailJob> = {
  load: async (_db, job) => job,
  isRelevant: () => true,
  recipients: (db, { gesterId }) => activeStaff(db, gesterId),
  compose: ({ count }, _reader, { baseUrl }) => ({
    heading: count === 1 ? 'Te encargamos un trámite' : `Te encargamos ${count} trámites`,
    paragraphs: ['Están en tu lista, con lo más urgente primero.'],
    facts: [],
    link: { label: 'Abrir', href: `${baseUrl}/admin/gesties` },
  }),
}

/** The e-mails about a case with CFE. */
export const caseEmails = {
  customer: { case_turn: turnOfCustomer },
  gester: {
    case_turn: toHandler(isSameTurn, {
      heading: 'Te toca un trámite',
      paragraphs: ['Ya puedes seguir con él.'],
    }),
    case_given: toHandler(() => true, {
      heading: 'Te encargamos un trámite',
      paragraphs: ['Revisa qué documentos faltan y a quién le toca.'],
    }),
    cases_handed: casesHanded,
  },
} satisfies EmailsOf<CaseEmailJob | CasesHandedEmailJob>

/** Whether the turn of the e-mail still lasts. */
function isSameTurn({ row }: CaseFacts, _now: Date, job: CaseEmailJob) {
  return 'since' in job && row.waitingSince.toISOString() === job.since
}

const turnHeading = ({ state, waitingOn }: CaseFacts['row']) =>
  waitingOn === 'customer'
    ? 'Necesitamos algo de ti para tu trámite ante CFE'
    : waitingOn === 'cfe'
      ? 'Tu trámite ya está con CFE'
      : state === 'closed'
        ? 'Tu trámite ante CFE terminó'
        : 'Cómo va tu trámite ante CFE'

function missingPapers(papers: readonly PaperRow[]): string[] {
  const owed = owedByCustomer(papers).map((paper) =>
    paper.reason ? `${paperLabel(paper)} (${paper.reason})` : paperLabel(paper),
  )
  const verb = owed.length === 1 ? 'Súbelo' : 'Súbelos'
  return owed.length > 0 ? [`${verb} en tu página de instalación: ${owed.join('; ')}.`] : []
}

/** By the last event of a case, or by what CFE granted since. */
const bySinceLastEvent = sql`cause.id >= (select max(id) from events where entity = 'cfe_case' and entity_id = ${cfeCases.id})
  and (cause.entity = 'cfe_case' and cause.entity_id = ${cfeCases.id}
    or cause.entity = 'project' and cause.entity_id = ${cfeCases.projectId} and cause.data ->> 'how' = 'case')`

async function loadCase(db: Db, { caseId }: CaseEmailJob) {
  const [found] = await db
    .select({
      row: cfeCases,
      customer: recipient,
      lastname: users.lastname,
      isReady: readySince(bySinceLastEvent, cfeCases.projectId),
    })
    .from(cfeCases)
    .innerJoin(users, eq(users.id, cfeCases.customerId))
    .where(eq(cfeCases.id, caseId))
  return found && { ...found, papers: await papersOf(db, caseId) }
}

type ProjectFacts = NonNullable<Awaited<ReturnType<typeof loadProject>>>

/** The e-mails about what a project is ready for. */
export const projectEmails = {
  customer: {
    installation_ready: projectToCustomer(({ isReady }) => isReady, {
      heading: 'Ya puedes agendar tu instalación',
      paragraphs: ['Tienes todo listo. Elige el día y la hora que mejor te queden.'],
      link: toBook,
    }),
    permit_returned: projectToCustomer(({ permitReturned }) => permitReturned !== null, {
      heading: 'Hace falta otro permiso de tu condominio',
      paragraphs: ['Lo revisamos y no nos sirve como está. En tu cuenta lees por qué y subes otro.'],
      link: { label: 'Subir otro permiso', path: '/installation' },
    }),
    area_served: projectToCustomer(({ isServed }) => isServed, {
      heading: 'Sí llegamos a tu domicilio',
      paragraphs: ['Ya lo revisamos. Elige el día y la hora de tu visita técnica.'],
      link: { label: 'Agendar mi visita', path: '/agenda-technics-visit' },
    }),
    area_outside: projectToCustomer(({ isOutside }) => isOutside, {
      heading: 'Todavía no llegamos a tu zona',
      paragraphs: [
        'Lo revisamos y por ahora no podemos ir. Si quieres, te avisamos en cuanto lleguemos a tu zona.',
        'Mientras tanto, una asesoría por video resuelve tus dudas desde donde estés.',
      ],
      link: { label: 'Avísenme cuando lleguen', path: '/address' },
    }),
  },
} satisfies EmailsOf<ProjectEmailJob>

type ProjectText = { heading: string; paragraphs: string[]; link: { label: string; path: string } }

function projectToCustomer(
  isRelevant: (project: ProjectFacts) => boolean,
  { heading, link, paragraphs }: ProjectText,
): Email<ProjectEmailJob, ProjectFacts> {
  return {
    load: loadProject,
    isRelevant,
    recipients: activeCustomer,
    compose: (_project, _reader, { baseUrl }) => ({
      heading,
      paragraphs,
      facts: [],
      link: { label: link.label, href: baseUrl + link.path },
    }),
  }
}

const isIn = (area: 'served' | 'outside') => sql<boolean>`exists (select 1 from ${addresses}
  where ${addresses.projectId} = ${projects.id} and ${addresses.archivedAt} is null and ${addresses.area} = ${area})`
const isReady = sql<boolean>`is_ready(projects)`

async function loadProject(db: Db, { projectId }: ProjectEmailJob) {
  const [row] = await db
    .select({
      customer: recipient,
      isReady,
      permitReturned: projects.permitReturned,
      isServed: isIn('served'),
      isOutside: isIn('outside'),
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.customerId))
    .where(eq(projects.id, projectId))
  return row
}
