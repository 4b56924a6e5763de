import { z } from 'zod'
import { withoutTail } from '../../domain/tidy.ts'

/** What messages by WhatsApp stand on, in the environment. */
export const whatsappVariables = {
  WHATSAPP_TOKEN: z.string().min(1).optional(),
  WHATSAPP_PHONE_ID: z
    .string()
    .regex(/^\d+$/, 'debe ser el identificador de un número, solo dígitos')
    .optional(),
  WHATSAPP_VERIFY_TOKEN: z.string().min(8).optional(),
  WHATSAPP_APP_SECRET: z.string().min(16).optional(),
  /** Another one than Meta's: that of the tests. */
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

/** The same, checked together; null where nothing goes by WhatsApp. */
export function whatsappOf(env: Values): WhatsappSettings | null {
  const { WHATSAPP_TOKEN: token, WHATSAPP_PHONE_ID: phoneId } = env
  const { WHATSAPP_VERIFY_TOKEN: verifyToken, WHATSAPP_APP_SECRET: appSecret } = env
  if (token && phoneId && verifyToken && appSecret)
    return { token, phoneId, verifyToken, appSecret, api: withoutTail(env.WHATSAPP_API_URL, '/') }
  if (token || phoneId || verifyToken || appSecret)
    throw new Error(
      'Para WhatsApp van juntas WHATSAPP_TOKEN, WHATSAPP_PHONE_ID, WHATSAPP_VERIFY_TOKEN y WHATSAPP_APP_SECRET.',
    )
  return null
}
