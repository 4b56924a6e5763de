import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { Alert } from '../ui/alert.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { undoPath } from '../ui/toast-queue.ts'

type UndoNoticeProps = {
  /** The change as a toast would carry it. */
  changes: string
  /** For how long it can still be undone. */
  seconds: number
}

/** Undoes a change where it is seen, for as long as the server would: a toast is gone by then. */
export function UndoNotice({ changes, seconds }: UndoNoticeProps) {
  const { pathname, search } = useLocation()
  const [past, setPast] = useState('')
  useEffect(() => {
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
          <input type="hidden" name="back" value={pathname + search} />
          <Submit variant="ghost">Deshacer</Submit>
        </Form>
      }
    >
      Los avisos todavía no salen. Al deshacerlo nadie recibe ninguno.
    </Alert>
  )
}
