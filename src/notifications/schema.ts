import { z } from 'zod'
import { withoutTail } from '../shared/text.ts'
import { isStatus, ownDigits, type Status } from './rules/whatsapp.ts'

/** The environment variables for WhatsApp. */
export const whatsappVariables = {
  WHATSAPP_TOKEN: z.string().min(1).optional(),
  WHATSAPP_PHONE_ID: z
    .string()
    .regex(/^\d+$/, 'debe ser el identificador de un número, solo dígitos')
    .optional(),
  WHATSAPP_VERIFY_TOKEN: z.string().min(8).optional(),
  WHATSAPP_APP_SECRET: z.string().min(16).optional(),
  /** Replaces Meta's API in tests. */
  WHATSAPP_API_URL: z.url({ protocol: /^https?$/ }).default('https://graph.facebook.com/v23.0'),
}

type Values = z.output<z.ZodObject<typeof whatsappVariables>>

export type WhatsappSettings = {
  token: string
  phoneId: string
  verifyToken: string
  appSecret: string
  api: string
}

/** The same, checked together; null where WhatsApp is off. */
export function whatsappOf(env: Values): WhatsappSettings | null {
  const { WHATSAPP_TOKEN: token, WHATSAPP_PHONE_ID: phoneId } = env
  const { WHATSAPP_VERIFY_TOKEN: verifyToken, WHATSAPP_APP_SECRET: appSecret } = env
  if (token && phoneId && verifyToken && appSecret)
    return { token, phoneId, verifyToken, appSecret, api: withoutTail(env.WHATSAPP_API_URL, '/') }
  if (token || phoneId || verifyToken || appSecret)
    throw new Error(
      'WhatsApp needs WHATSAPP_TOKEN, WHATSAPP_PHONE_ID, WHATSAPP_VERIFY_TOKEN and WHATSAPP_APP_SECRET together.',
    )
  return null
}

/** WhatsApp's response to an accepted message. */
export const takenAnswer = z.object({
  messages: z.array(z.object({ id: z.string().min(1).max(200) })).min(1),
})
/** Its response to a refused one. */
export const refusedAnswer = z.object({ error: z.object({ code: z.number().int() }) })

/** The body of a webhook request. */
const webhookBody = z.object({
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          value: z.looseObject({
            statuses: z
              .array(
                z.looseObject({
                  id: z.string(),
                  status: z.string(),
                  biz_opaque_callback_data: z.string().optional(),
                  errors: z.array(z.looseObject({ code: z.number() })).optional(),
                }),
              )
              .default([]),
            messages: z
              .array(
                z.looseObject({
                  from: z.string(),
                  text: z.looseObject({ body: z.string() }).optional(),
                  button: z.looseObject({ text: z.string() }).optional(),
                }),
              )
              .default([]),
          }),
        }),
      ),
    }),
  ),
})

export type MessageStatus = { wamid: string; messageId: string | null; status: Status; fault: string | null }

/** The parts of a webhook's body that we use; anything else is ignored. */
export function readWebhookBody(body: string) {
  const parsed = webhookBody.safeParse(orNull(body))
  const values = parsed.success
    ? parsed.data.entry.flatMap(({ changes }) => changes.map(({ value }) => value))
    : []
  return {
    statuses: values.flatMap(({ statuses }): MessageStatus[] =>
      statuses.flatMap(({ biz_opaque_callback_data: ours, errors, id, status }) =>
        isStatus(status)
          ? [
              {
                wamid: id,
                messageId: z.uuid().safeParse(ours).data ?? null,
                status,
                fault: errors?.[0] ? String(errors[0].code) : null,
              },
            ]
          : [],
      ),
    ),
    replies: values.flatMap(({ messages }) =>
      messages.flatMap(({ button, from, text }) => {
        const phone = ownDigits(from)
        return phone ? [{ phone, words: text?.body ?? button?.text ?? '' }] : []
      }),
    ),
  }
}

function orNull(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
