import { TicketPercent } from 'lucide-react'
import type { Actor } from '../../access/rules/actor.ts'
import { calendarSource, db, listsDb } from '../../app/context.ts'
import { codesToGive } from '../../customers/clients.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field, Select } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { useFormAccepted } from '../../kit/form/use-action-data.ts'
import { ListPages, pageLinks, readFilters } from '../../kit/list/lists.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requireActor } from '../../kit/require-actor.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { thousands } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Details, EmptyState } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { agencyFor, suggestCode } from '../agency-queries.ts'
import { createCode, limitOf, listCodes } from '../codes.ts'
import { benefitLabels } from '../rules/agency.ts'
import { benefitWords } from '../rules/codes.ts'
import { type CodeWish, newCodeInput } from '../rules/referral-schema.ts'
import type { Route } from './+types/codes.ts'
import { codeMoveForms, movedNotes, ownLinkOf } from './agency-server.ts'
import { CodeFilterBar, CodeTable, codeFilters } from './code-table.tsx'
import { OwnLinkPanel } from './invite-panel.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const [database, actor, now] = [await context.get(listsDb)(), requireActor(context), new Date()]
    const { after, filters, place } = readFilters(codeFilters, url)
    const agencyId = actor.agencyId ?? ''
    const [page, limit, suggestion, agency, given] = await Promise.all([
      listCodes(database, actor, agencyId, { ...filters, ...(after && { after }) }, now),
      agencyId ? limitOf(database, agencyId) : null,
      suggestCode(database),
      agencyFor(database, actor, agencyId),
      codesToGive(database, actor, now),
    ])
    return {
      rows: page.rows,
      total: page.total,
      filters,
      suggestion,
      limit: limit && benefitWords(limit),
      mayGive: limit !== null && limit.kind !== 'none',
      agency: agency?.name ?? '',
      link: ownLinkOf(context, given[0], agency?.name ?? ''),
      today: localDate(toMinutes(now)),
      baseUrl: context.get(calendarSource).baseUrl,
      brand: context.get(calendarSource).brand,
      pages: pageLinks(filters, place, page.next),
    }
  })

const here = '/admin/alliate/codes'

export const action = forms(({ context }: Route.ActionArgs) => {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const creating = (activate: boolean) => (wish: CodeWish) =>
    create(database, actor, { ...wish, activate }, now)
  return {
    'codes.create': form(newCodeInput(now), creating(true)),
    'codes.draft': form(newCodeInput(now), creating(false)),
    ...codeMoveForms(database, actor, here, now),
  }
})

async function create(database: Db, actor: Actor, wish: CodeWish & { activate: boolean }, now: Date) {
  const { askedAt, code, state } = await createCode(database, actor, wish, now)
  if (state === 'active')
    return redirectWithToast(here, `Creamos el código ${code}`, 'Ya lo puedes compartir.')
  if (askedAt) return redirectWithToast(here, `Guardamos el código ${code}`, movedNotes.ask, 'default')
  return redirectWithToast(
    here,
    `Guardamos el código ${code}`,
    'Actívalo cuando lo quieras compartir.',
    'default',
  )
}

export default function Codes({ loaderData }: Route.ComponentProps) {
  const { rows, total, filters, limit, link, mayGive, suggestion, today, pages, ...house } = loaderData
  const narrowed = Boolean(filters.text || filters.state)
  return (
    <>
      <PageHeader
        title="Códigos"
        subtitle={total === 1 ? '1 código' : `${thousands(total)} códigos`}
        actions={<NewCode suggestion={suggestion} today={today} limit={mayGive ? limit : null} />}
      />
      <OrphanedFormError />
      {link && (
        <Details summary="Tu enlace y su código QR">
          <OwnLinkPanel link={link} />
        </Details>
      )}
      {(total > 0 || narrowed) && <CodeFilterBar filters={filters} path={here} />}
      {rows.length === 0 ? (
        <EmptyState
          icon={TicketPercent}
          action={
            narrowed && (
              <LinkButton variant="ghost" to={here}>
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
      <ListPages pages={pages} rows={rows} count={{ total, isMore: false }} />
    </>
  )
}

type NewCodeProps = {
  /** A text that no code has yet. */
  suggestion: string
  /** As 2026-11-22. */
  today: string
  /** What the agency may give without asking, in words; null where that is nothing. */
  limit: string | null
}

const intents = ['codes.create', 'codes.draft']

/** Asks what a new code gives, to how many and until when. */
function NewCode({ suggestion, today, limit }: NewCodeProps) {
  const result = useFormResult(intents)
  return (
    <Dialog
      key={useFormAccepted(result)}
      trigger="Nuevo código"
      variant="primary"
      title="Nuevo código"
      description="Quien lo use queda como cliente de tu concesionaria, y recibe lo que el código dé."
      defaultOpen={result !== undefined}
    >
      <Form intent={intents}>
        <Field
          label="Código"
          name="codeText"
          defaultValue={suggestion}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          help="De 6 a 12 letras y números, sin I, O, 0 ni 1. Puedes cambiar el que proponemos."
          className="[&_input]:font-mono [&_input]:uppercase"
        />
        <Field
          label="Para qué es"
          name="label"
          optional
          maxLength={80}
          placeholder="Mostrador, redes, feria…"
        />
        <Select
          label="Beneficio"
          name="benefitKind"
          options={Object.entries(benefitLabels).map(([value, label]) => ({ value, label }))}
          defaultValue="none"
          help={
            limit
              ? `Tu concesionaria puede dar: ${limit}. Otra cosa la aprueba la gerencia.`
              : 'Si tiene beneficio, la gerencia lo aprueba antes de que se pueda usar.'
          }
        />
        <Field
          label="Cuánto"
          name="benefitValue"
          optional="unsaid"
          inputMode="decimal"
          autoComplete="off"
          help="Si da un descuento: 10 para 10&nbsp;%, 1,000 para $1,000 antes de IVA. Si no, déjalo vacío."
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Sirve desde" name="startsOn" type="date" defaultValue={today} min={today} />
          <Field label="Último día" name="endsOn" type="date" optional min={today} />
        </div>
        <Field
          label="Cuántas personas lo pueden usar"
          name="maxUses"
          inputMode="numeric"
          autoComplete="off"
          defaultValue="100"
        />
        <div className="flex flex-wrap gap-3">
          <Submit name="intent" value="codes.create" className="flex-1">
            Crear y activar
          </Submit>
          <Submit name="intent" value="codes.draft" variant="ghost" className="flex-1">
            Guardar sin activar
          </Submit>
        </div>
      </Form>
    </Dialog>
  )
}
