import { data } from 'react-router'
import { z } from 'zod'
import type { Actor } from '../../domain/access/actor.ts'
import type { QuoteContent } from '../../domain/quotes/content.ts'
import { edited, editOf, fieldsOf, optionField, typedIn } from '../../domain/quotes/draft.ts'
import { quoteInput } from '../../domain/quotes/schema.ts'
import { benefitOf, withBenefit } from '../../domain/quotes/totals.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { staleForm } from '../../domain/shared/schema.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { activeCatalogue, benefitOfGround } from '../../server/quotes/benefit.ts'
import { discardDraft, groundFor, saveDraft } from '../../server/quotes/drafts.ts'
import { sendQuote } from '../../server/quotes/send.ts'
import { toast } from '../lib/flash.ts'
import { formOf, textOf } from '../lib/form.ts'
import { type Failure, submit } from '../lib/submit.ts'

type Asked = { request: Request; db: Db; actor: Actor; appointmentId: string; now: Date }

/** What comes back to the builder: what was typed, and a preview where one was asked for. */
export type BuildAnswer = Failure & { preview?: QuoteContent }

const hereOf = (appointmentId: string) => `/admin/cotizations/add-quote/${appointmentId}`

/** Answers the form of the builder, which is sent whole by each of its buttons. */
export async function buildAction(asked: Asked) {
  const fields = textOf(await formOf(asked.request))
  if (fields.edit !== undefined) return edit(asked, fields)
  if (fields.intent === 'discard-quote') return discard(asked)
  return keep(asked, fields)
}

const answer = (values: Record<string, string>, preview?: QuoteContent) =>
  data<BuildAnswer>({ errors: {}, values, refusal: null, ...(preview && { preview }) })

/** Without JavaScript an edit is made here; nothing is kept until it is saved. */
async function edit({ db }: Asked, fields: Record<string, string>) {
  const wanted = editOf(fields.edit ?? '', (option) => fields[optionField(option, 'add')] ?? '')
  const typed = typedIn(fields)
  const after = wanted ? edited(typed, wanted, await activeCatalogue(db)) : { typed, line: null }
  return answer({ ...fieldsOf(after.typed), version: fields.version ?? '', open: after.line ?? '' })
}

async function benefitFor(db: Db, actor: Actor, appointmentId: string) {
  const ground = await groundFor(db, actor, appointmentId)
  return ground && benefitOfGround(db, ground)
}

const shownVersion = z.coerce.number<string>(staleForm).int(staleForm).min(0, staleForm).max(1e9, staleForm)
const pressed = z.discriminatedUnion(
  'intent',
  [
    z.object({ intent: z.literal('save-quote'), version: shownVersion }),
    z.object({ intent: z.literal('send-quote'), version: shownVersion }),
    z.object({ intent: z.literal('preview-quote'), version: shownVersion }),
  ],
  staleForm,
)

function keep({ request, db, actor, appointmentId, now }: Asked, fields: Record<string, string>) {
  const today = localDate(toMinutes(now))
  const input = z.intersection(
    pressed,
    quoteInput(today).transform((content) => ({ content })),
  )
  return submit(request, input, async ({ content, intent, version }) => {
    if (intent === 'preview-quote')
      return answer(fields, withBenefit(content, await benefitFor(db, actor, appointmentId)))
    const sends = intent === 'send-quote'
    const draft = await saveDraft(db, actor, appointmentId, { version, content, sends }, now)
    // What a code took off meanwhile was not on the page: it is read before it goes out.
    const isNews = (benefitOf(draft.content)?.description ?? '') !== (fields.benefit ?? '')
    if (sends && isNews && draft.state === 'draft')
      return toast(
        hereOf(appointmentId),
        'Guardamos el borrador, sin enviarlo',
        'El código de su cliente cambió los totales mientras escribías. Revísalos y envíala.',
      )
    if (!sends)
      return toast(
        hereOf(appointmentId),
        'Guardamos el borrador',
        'Su cliente no lo ve hasta que envíes la cotización.',
      )
    if (draft.state === 'draft') await sendQuote(db, actor, draft.id, draft.version, now)
    return toast(
      `/admin/cotizations/detail-quote/${draft.id}`,
      'Enviamos la cotización',
      'Su cliente recibe un correo y ya la puede ver.',
    )
  })
}

const discarding = z.object({ intent: z.literal('discard-quote'), version: shownVersion })

const discard = ({ request, db, actor, appointmentId }: Asked) =>
  submit(request, discarding, async ({ version }) => {
    await discardDraft(db, actor, appointmentId, version)
    return toast('/admin/cotizations', 'Descartamos el borrador', 'Empieza otro cuando quieras.')
  })
