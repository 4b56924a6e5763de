import { tidy } from '../shared/tidy.ts'

/** Why a quote is not accepted. Apart from its form's rules, so that the screen does not load the validator. */
export const rejectReasons = {
  price: 'El precio',
  other_provider: 'Elegí a otro proveedor',
  not_now: 'Por ahora no',
  scope: 'No es lo que necesito',
  other: 'Otro motivo',
} as const

/** "El precio: me pasaron otra más barata", as it is kept and read. */
export const rejectionInWords = ({
  note,
  reason,
}: {
  reason: keyof typeof rejectReasons
  note: string | null
}) => tidy([rejectReasons[reason], note].filter(Boolean).join(': '))
