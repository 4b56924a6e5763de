import type { Actor } from '../../access/rules/actor.ts'
import { codesToGive } from '../../customers/clients.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field, Select } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { useFormAccepted } from '../../kit/form/use-action-data.ts'
import { choicesOf, readList } from '../../kit/list/filters.ts'
import { isNarrowedBy, ListBody, ListHeader } from '../../kit/list/list-body.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { Details } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { agencyFor, suggestCode } from '../agency-queries.ts'
import { createCode, limitOf, listCodes } from '../codes.ts'
import { benefitLabels } from '../rules/agency.ts'
import { benefitWords } from '../rules/codes.ts'
import { type CodeInput, newCodeInput } from '../rules/referral-schema.ts'
import type { Route } from './+types/codes.ts'
import { codeMoveForms, movedNotes, ownLinkOf } from './agency-server.ts'
import { CodeCounts, codeList, ownCodeColumns } from './code-table.tsx'
import { OwnLinkPanel } from './invite-panel.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const db = await requestOf(context).lists()
    const { actor, now, calendarSource } = signedIn(context)
    const { asked, page } = readList(codeList, url, now)
    const agencyId = actor.agencyId ?? ''
    const [codes, limit, suggestion, agency, given] = await Promise.all([
      listCodes(db, actor, agencyId, asked, now),
      agencyId ? limitOf(db, agencyId) : null,
      suggestCode(db),
      agencyFor(db, actor, agencyId),
      codesToGive(db, actor, now),
    ])
    const { baseUrl, brand } = calendarSource
    return {
      ...page(codes),
      suggestion,
      limit: limit && benefitWords(limit),
      mayGive: limit !== null && limit.kind !== 'none',
      house: { agency: agency?.name ?? '', baseUrl, brand },
      link: ownLinkOf(context, given[0], agency?.name ?? ''),
      today: localDate(toMinutes(now)),
    }
  })

const here = codeList.path

export const action = forms(({ context }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  const creating = (activate: boolean) => (input: CodeInput) => create(db, actor, { ...input, activate }, now)
  return {
    'codes.create': form(newCodeInput(now), creating(true)),
    'codes.draft': form(newCodeInput(now), creating(false)),
    ...codeMoveForms(db, actor, here, now),
  }
})

async function create(database: Db, actor: Actor, input: CodeInput & { activate: boolean }, now: Date) {
  const { askedAt, code, state } = await createCode(database, actor, input, now)
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
  const { filters, limit, link, mayGive, rows, suggestion, today, total } = loaderData
  return (
    <>
      <ListHeader
        list={codeList}
        loaded={loaderData}
        actions={<NewCode suggestion={suggestion} today={today} limit={mayGive ? limit : null} />}
      />
      <OrphanedFormError />
      {link && (
        <Details summary="Tu enlace y su código QR">
          <OwnLinkPanel link={link} />
        </Details>
      )}
      <ListBody
        list={codeList}
        loaded={loaderData}
        hasBar={total > 0 || isNarrowedBy(filters)}
        columns={ownCodeColumns}
        dense={false}
      >
        {rows.length > 0 && <CodeCounts />}
      </ListBody>
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
          options={choicesOf(benefitLabels)}
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
