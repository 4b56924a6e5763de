import { TicketPercent } from 'lucide-react'
import { benefitWords } from '../../domain/agencies/codes.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { thousands } from '../../domain/shared/format.ts'
import { agencyFor } from '../../server/agencies/agencies-queries.ts'
import { limitOf, listCodes } from '../../server/agencies/codes-queries.ts'
import { suggestCode } from '../../server/agencies/suggest.ts'
import { calendarSource, db } from '../../server/app/context.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/codes.ts'
import { CodeFilterBar, codeFilters } from './code-filters.tsx'
import { CodeTable } from './code-table.tsx'
import { allyCodesAction } from './codes-action.ts'
import { NewCode } from './new-code.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const { after, filters } = readFilters(codeFilters, url)
    const agencyId = actor.agencyId ?? ''
    const [page, limit, suggestion, agency] = await Promise.all([
      listCodes(database, actor, agencyId, { ...filters, ...(after && { after }) }, now),
      agencyId ? limitOf(database, agencyId) : null,
      suggestCode(database),
      agencyFor(database, actor, agencyId),
    ])
    return {
      ...{ rows: page.rows, total: page.total, filters, suggestion },
      limit: limit && benefitWords(limit),
      mayGive: limit !== null && limit.kind !== 'none',
      agency: agency?.name ?? '',
      today: localDate(toMinutes(now)),
      ...{ baseUrl: context.get(calendarSource).baseUrl, brand: context.get(calendarSource).brand },
      ...pageLinks(filters, after, page.next),
    }
  })

export const action = ({ context, request }: Route.ActionArgs) => allyCodesAction({ context, request })

export default function Codes({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, total, filters, limit, mayGive, suggestion, today, first, next, ...house } = loaderData
  const sent = actionData?.values as Partial<Record<string, string>> | undefined
  const isNew = sent?.intent === 'codes.create' || sent?.intent === 'codes.draft'
  const narrowed = Boolean(filters.text || filters.state)
  const making = {
    ...{ suggestion, today, limit: mayGive ? limit : null },
    result: isNew ? actionData : undefined,
  }
  return (
    <>
      <PageHeader
        title="Códigos"
        subtitle={total === 1 ? '1 código' : `${thousands(total)} códigos`}
        actions={<NewCode {...making} />}
      />
      {(total > 0 || narrowed) && <CodeFilterBar filters={filters} path="/admin/alliate/codes" />}
      {rows.length === 0 ? (
        <EmptyState
          icon={TicketPercent}
          action={
            narrowed && (
              <LinkButton variant="ghost" to="/admin/alliate/codes">
                Ver todos
              </LinkButton>
            )
          }
        >
          {narrowed
            ? 'Ningún código coincide con lo que buscas.'
            : 'Todavía no hay códigos. Crea uno y compártelo: quien lo use queda como cliente tuyo.'}
        </EmptyState>
      ) : (
        <CodeTable rows={rows} house={house} />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}
