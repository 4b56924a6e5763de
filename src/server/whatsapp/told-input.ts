import { z } from 'zod'
import { isOptOut, isStatus, ownDigits, type Status } from '../../domain/whatsapp.ts'

const told = z.object({
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

export type ToldStatus = { wamid: string; messageId: string | null; status: Status; fault: string | null }

/** What a body tells that concerns us; anything else, and anything unknown, is nothing. */
export function toldIn(body: string): { statuses: ToldStatus[]; optOuts: string[] } {
  const parsed = told.safeParse(orNull(body))
  const values = parsed.success
    ? parsed.data.entry.flatMap(({ changes }) => changes.map(({ value }) => value))
    : []
  return {
    statuses: values.flatMap(({ statuses }) =>
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
    optOuts: values.flatMap(({ messages }) =>
      messages.flatMap(({ button, from, text }) => {
        const phone = ownDigits(from)
        return phone && isOptOut(text?.body ?? button?.text ?? '') ? [phone] : []
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
