import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { Alert } from '../ui/alert.tsx'
import { undoPath } from '../ui/toast-queue.ts'
import { Form, Submit } from './form/form.tsx'

type UndoNoticeProps = {
  /** The change as a toast would carry it. */
  changes: string
  /** For how long it can still be undone; null where nobody is to be told of it, for as long as nothing else changes. */
  seconds: number | null
  /** Where it leads, if not to the page itself. */
  back?: string
}

/** Undoes a change where it is seen, for as long as the server would: a toast is gone by then. */
export function UndoNotice({ changes, seconds, back }: UndoNoticeProps) {
  const { pathname, search } = useLocation()
  const [past, setPast] = useState('')
  useEffect(() => {
    if (seconds === null) return
    const timer = setTimeout(() => setPast(changes), seconds * 1000)
    return () => clearTimeout(timer)
  }, [changes, seconds])
  if (past === changes) return null
  return (
    <Alert
      tone="info"
      title="Puedes deshacerlo todavía"
      actions={
        <Form action={undoPath} preventScrollReset>
          <input type="hidden" name="changes" value={changes} />
          <input type="hidden" name="back" value={back ?? pathname + search} />
          <Submit variant="ghost">Deshacer</Submit>
        </Form>
      }
    >
      {seconds === null
        ? 'Nadie recibió aviso. Puedes mientras ninguna de sus citas cambie.'
        : 'Los avisos todavía no salen. Al deshacerlo nadie recibe ninguno.'}
    </Alert>
  )
}

/** Who a press tells at once, as "al cliente"; said before it, where there is no way back. */
export const NoWayBack = ({ to }: { to: string }) => (
  <p className="text-sm text-mute">Se lo decimos de inmediato {to}; no se puede deshacer.</p>
)
