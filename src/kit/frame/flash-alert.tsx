import { useLocation } from 'react-router'
import { Alert } from '../../ui/alert.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { undoPath } from '../../ui/toast-queue.ts'
import { useFlash } from '../site.ts'

const tones = { default: 'info', success: 'ok', destructive: 'bad' } as const

/** The toast that a redirect left, where no JavaScript can show it. Elsewhere it takes no room, so nothing moves. */
export function FlashAlert() {
  const flash = useFlash()
  if (useHydrated() || !flash) return null
  return (
    <div role={flash.variant === 'destructive' ? 'alert' : 'status'} className="hidden noscript:block">
      <Alert
        tone={tones[flash.variant]}
        title={flash.title}
        actions={flash.undo && <PlainUndo changes={flash.undo} />}
      >
        {flash.description}
      </Alert>
    </div>
  )
}

function PlainUndo({ changes }: { changes: string }) {
  const { pathname, search } = useLocation()
  return (
    <form method="post" action={undoPath}>
      <input type="hidden" name="changes" value={changes} />
      <input type="hidden" name="back" value={pathname + search} />
      <button type="submit" className="min-h-11 font-semibold underline underline-offset-4">
        Deshacer
      </button>
    </form>
  )
}
