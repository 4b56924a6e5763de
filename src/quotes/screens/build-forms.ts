import { data } from 'react-router'
import type { Actor } from '../../access/rules/actor.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast, redirectWithUndo } from '../../kit/flash.ts'
import { type Failure, form, type SentForm } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { answerApproval, askApproval } from '../approvals.ts'
import { benefitOfSource } from '../benefit.ts'
import { activeCatalogue } from '../catalogue.ts'
import { discardDraft, quoteSourceFor, saveDraft } from '../drafts.ts'
import type { QuoteContent } from '../rules/content.ts'
import { fieldsOf, typedQuoteIn } from '../rules/draft.ts'
import { draftEditOf, edited } from '../rules/draft-edits.ts'
import { quotePartPath } from '../rules/quote-path.ts'
import { quoteTabPath } from '../rules/quote-tabs.ts'
import { buildInput } from '../rules/schema.ts'
import { benefitOf, withBenefit } from '../rules/totals.ts'
import { sendQuote, unsendableFor } from '../send.ts'

type Builder = { db: Db; actor: Actor; appointmentId: string; now: Date }

/** The builder's answer: what was typed, and a preview where one was requested. */
export type BuildAnswer = Failure & { preview?: QuoteContent }

/** The forms of the builder, which is sent whole by each of its buttons. */
export function buildForms({ actor, appointmentId, db, now }: Builder) {
  const schemas = buildInput(localDate(toMinutes(now)))
  const here = `/admin/cotizations/add-quote/${appointmentId}`
  return {
    edit: (sent: SentForm) => edit(db, sent),
    'preview-quote': form(schemas['preview-quote'], async ({ content }, { read, values }) => {
      const ground = await quoteSourceFor(db, actor, appointmentId)
      return answer(
        { ...values, ...read },
        withBenefit(content, ground && (await benefitOfSource(db, ground))),
      )
    }),
    'save-quote': form(schemas['save-quote'], async (input) => {
      await saveDraft(db, actor, appointmentId, input, now)
      return redirectWithToast(
        here,
        'Guardamos el borrador',
        'El cliente no lo ve hasta que envíes la cotización.',
      )
    }),
    'send-quote': form(schemas['send-quote'], async (input, { values }) => {
      const { catalogue, content, meant, replaces, version } = input
      const draft = await saveDraft(db, actor, appointmentId, { content, version, sends: true }, now)
      // It is kept, also where it is not sent: what comes back to be corrected is of this version.
      values.version = String(draft.version)
      // A code's discount that came meanwhile was not on the page: its author reads it before the quote is sent.
      const isNews = (benefitOf(draft.content)?.description ?? '') !== (values.benefit ?? '')
      if (isNews && draft.state === 'draft') return redirectWithToast(here, ...keptUnsent)
      const quote =
        draft.state === 'draft'
          ? await sendQuote(db, actor, draft.id, draft.version, now, { metres: meant, replaces, catalogue })
          : draft
      const [title, then] = replaces ? replaced : sent
      const { id } = quote
      const told = await customerWords(db, { of: 'quotes', id }, then)
      return (await unsendableFor(db, actor, quote)) > 0
        ? redirectWithUndo(quotePartPath(id), title, told, [{ id, version: quote.version, of: 'cotizacion' }])
        : redirectWithToast(quotePartPath(id), title, told)
    }),
    'ask-approval': form(schemas['ask-approval'], async (input) => {
      await askApproval(db, actor, input)
      return redirectWithToast(
        here,
        'Pediste autorización',
        'La gerencia la ve en su inicio; su respuesta aparece en el tuyo.',
      )
    }),
    'approve-quote': form(schemas['approve-quote'], async (draft) => {
      await answerApproval(db, actor, { ...draft, answer: 'approved' }, now)
      return redirectWithToast(here, 'Autorizaste la cotización', 'Quien la hizo ya puede enviarla.')
    }),
    'return-quote': form(schemas['return-quote'], async (draft) => {
      await answerApproval(db, actor, { ...draft, answer: 'returned' }, now)
      return redirectWithToast(
        here,
        'Devolviste la cotización',
        'Quien la hizo lee tu motivo en su inicio.',
        'default',
      )
    }),
    'discard-quote': form(schemas['discard-quote'], async ({ version }, { values: { list = '' } }) => {
      await discardDraft(db, actor, appointmentId, version)
      return redirectWithToast(
        list.startsWith('/admin/cotizations?') ? list : quoteTabPath('borradores'),
        'Descartamos el borrador',
        'Empieza otro cuando quieras.',
      )
    }),
  }
}

const keptUnsent = [
  'Guardamos el borrador, sin enviarlo',
  'El código del cliente cambió los totales mientras escribías. Revísalos y envíala.',
] as const
const replaced = [
  'Enviamos la versión nueva',
  'Sustituye a la anterior. El cliente recibe un solo correo y ya la puede ver.',
] as const
const sent = ['Enviamos la cotización', 'Le avisamos al cliente por correo, y ya la puede ver.'] as const

const answer = (values: Record<string, string>, preview?: QuoteContent) =>
  data<BuildAnswer>({ errors: {}, values, refusal: null, ...(preview && { preview }) })

/** Without JavaScript an edit is made here; nothing is kept until it is saved. */
async function edit(db: Db, { read, values: fields }: SentForm) {
  const { adding = '', edit: pressed = '', version = '' } = fields
  const wanted = draftEditOf(pressed, adding)
  const typed = typedQuoteIn(fields)
  const after = wanted ? edited(typed, wanted, await activeCatalogue(db)) : { typed, line: null }
  const isAdded = wanted?.name === 'add' && after.line !== null
  const asked = isAdded ? { adding: '', asked: '' } : { adding, asked: pressed }
  return answer({ ...fieldsOf(after.typed), ...read, ...asked, version, open: after.line ?? '' })
}
