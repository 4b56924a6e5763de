import { Landmark } from 'lucide-react'
import { casesInput } from '../../domain/cfe/schema.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { thousands } from '../../domain/shared/format.ts'
import { db } from '../../server/app/context.ts'
import { gestersWithLoad } from '../../server/cfe/gesters.ts'
import { handOverCases } from '../../server/cfe/hand-over.ts'
import { listCases, strandedCases } from '../../server/cfe/list.ts'
import { openCase } from '../../server/cfe/open.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { load } from '../lib/load.ts'
import { demandModule } from '../lib/module.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/list.ts'
import { CaseFilterBar } from './case-filter-bar.tsx'
import { CaseTable } from './case-table.tsx'
import { HandOver } from './hand-over.tsx'
import { caseFilters, casesPath } from './list-query.ts'
import { OpenCase } from './open-case.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    demandModule(context, 'gesties')
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const { after, filters } = readFilters(caseFilters, url)
    const isManager = actor.kind === 'manager'
    const [{ next, rows, total }, gesters, stranded] = await Promise.all([
      listCases(database, actor, filters, after),
      isManager ? gestersWithLoad(database) : null,
      isManager ? strandedCases(database) : [],
    ])
    return {
      ...{ rows, total, filters, gesters, stranded, now, today: localDate(toMinutes(now)) },
      ...pageLinks(filters, after, next),
    }
  })

export const action = ({ request, context }: Route.ActionArgs) => {
  demandModule(context, 'gesties')
  return submit(request, casesInput, async (input) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    if (input.intent === 'cases.hand-over') {
      const count = await handOverCases(database, actor, input)
      return count === 1
        ? toast(casesPath, 'Pasaste 1 trámite', 'Quien elegiste ya lo ve en su lista.')
        : toast(casesPath, `Pasaste ${count} trámites`, 'Quien elegiste ya los ve en su lista.')
    }
    const { folio, id } = await openCase(database, actor, input, now)
    return toast(`${casesPath}/${id}`, `Abriste el trámite ${folio}`, 'Le avisamos al cliente por correo.')
  })
}

export default function Cases({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, total, filters, gesters, stranded, now, today, first, next } = loaderData
  const isHandOver = actionData?.values.intent === 'cases.hand-over'
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Gestorías"
        subtitle={`${thousands(total)} ${total === 1 ? 'trámite' : 'trámites'} con CFE, lo más urgente primero`}
      />
      <CaseFilterBar filters={filters} gesters={gesters} />
      {rows.length === 0 ? (
        <EmptyState
          icon={Landmark}
          action={
            isNarrowed && (
              <LinkButton variant="ghost" to={casesPath}>
                Ver todos
              </LinkButton>
            )
          }
        >
          {isNarrowed
            ? 'Ningún trámite coincide con lo que buscas.'
            : 'No hay trámites abiertos. Se abren solos cuando se acepta una cotización que los necesita.'}
        </EmptyState>
      ) : (
        <CaseTable rows={rows} today={today} now={now} showsGester={gesters !== null} />
      )}
      <Pagination previous={first} next={next} />
      <OpenCase result={isHandOver ? undefined : actionData} />
      {gesters && (
        <HandOver stranded={stranded} gesters={gesters} result={isHandOver ? actionData : undefined} />
      )}
    </>
  )
}
