import { type Missing, unsafeWords } from '../../domain/reports/progress.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'

/** The form by which an appointment ends otherwise than completed. */
export const otherEndId = 'otro-final'

type UnsafeAlertProps = {
  missing: readonly Missing[]
  /** Where the appointment can still end otherwise; null where it is over. */
  otherEnd: string | null
}

/** Which tests failed, and that nothing is left energized by them; nothing where none did. */
export function UnsafeAlert({ missing, otherEnd }: UnsafeAlertProps) {
  const failed = missing.filter(({ unsafe }) => unsafe)
  if (failed.length === 0) return null
  return (
    <Alert
      tone="bad"
      title={unsafeWords}
      actions={
        otherEnd && (
          <LinkButton variant="ghost" to={otherEnd}>
            Terminar como «Quedó a medias»
          </LinkButton>
        )
      }
    >
      <ul className="grid list-disc gap-1 pl-5">
        {failed.map(({ label, message, name }) => (
          <li key={name}>
            {label}. {message.replace(`${unsafeWords} `, '')}
          </li>
        ))}
      </ul>
      <p className="mt-2">
        Corrígelo y vuelve a probar. Si hoy no se puede, corta la energía, deja candado y etiqueta
        {otherEnd ? ', y termina la cita como «Quedó a medias».' : '.'}
      </p>
    </Alert>
  )
}
