import type { RouterContextProvider } from 'react-router'
import { partsFor, readsProjects } from '../../domain/projects/pipeline.ts'
import { callInput } from '../../domain/projects/schema.ts'
import { writesQuotes } from '../../domain/quotes/quote.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { noteCall, officeFigures, quotesToCall } from '../../server/projects/pipeline.ts'
import { listProjects } from '../../server/projects/queries.ts'
import { agencyNames } from '../../server/users/queries.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { submit } from '../lib/submit.ts'
import { figurePeriodIn, pipelinePartIn, projectFilters } from './figure-columns.ts'
import { pipelinePartPath } from './pipeline-path.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

/** What the address of /admin/clients asks for; the other parts stay null, and are not read. */
export async function loadPipeline(asked: Asked) {
  const [database, actor, now] = [asked.context.get(db), requireActor(asked.context), new Date()]
  const part = pipelinePartIn(asked.url, actor)
  const period = figurePeriodIn(asked.url, now)
  const [list, calls, figures] = await Promise.all([
    part === 'lista' ? loadList(asked, now) : null,
    part === 'llamar' ? quotesToCall(database, actor, now) : null,
    part === 'cifras' ? officeFigures(database, actor, period.months) : null,
  ])
  return { part, parts: partsFor(actor), list, calls, figures: figures && { ...figures, ...period }, now }
}

async function loadList({ context, url }: Asked, now: Date) {
  const [database, actor] = [context.get(db), requireActor(context)]
  const { after, filters } = readFilters(projectFilters, url)
  const [{ next, ...page }, agencies] = await Promise.all([
    listProjects(database, actor, { ...filters, ...(after && { after }) }, now),
    readsProjects(actor) === 'all' ? agencyNames(database, actor) : [],
  ])
  return {
    ...page,
    filters,
    exports: actor.kind === 'manager',
    agencies: agencies.map(({ id, name }) => ({ id, name })),
    ...pageLinks(filters, after, next),
  }
}

/** Notes what came of a call. */
export const callAction = (request: Request, context: Readonly<RouterContextProvider>) =>
  refusalsAsResponses(async () => {
    const actor = requireActor(context)
    if (!writesQuotes(actor)) refuse('permission-denied')
    return submit(request, callInput, async (form) => {
      await noteCall(context.get(db), actor, form, new Date())
      return redirectWithToast(
        pipelinePartPath('llamar'),
        'Llamada anotada',
        'En dos días, si no contesta, vuelve a la lista.',
      )
    })
  })
