import { z } from 'zod'
import { seenVersion, staleForm } from '../shared/seen-version.ts'
import { tidy } from '../shared/tidy.ts'
import { endpointUrl } from './webhook.ts'

/** The form of a new endpoint. */
export const endpointInput = (allowHttp: boolean) =>
  z.object({
    url: z.preprocess(
      tidy,
      z
        .string()
        .max(500, 'Usa como máximo 500 caracteres.')
        .transform((typed, ctx) => {
          const read = endpointUrl(typed, allowHttp)
          if ('url' in read) return read.url
          ctx.addIssue(read.error)
          return z.NEVER
        }),
    ),
  })

/** The forms of an endpoint that is there. */
export const endpointMoveInput = z.object({ endpointId: z.string(staleForm), version: seenVersion })

/** The form of a delivery. */
export const deliveryInput = z.object({ deliveryId: z.string(staleForm) })
