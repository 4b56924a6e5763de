import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import type { MediaProblem } from '../rtc/call-state.ts'
import { browserOf, helpFor } from './browser-help.ts'

type MediaTroubleProps = { problem: MediaProblem; onAgain?: () => void }

/** Why camera or microphone don't work, and what to do in this very browser. */
export function MediaTrouble({ problem, onAgain }: MediaTroubleProps) {
  const browser = browserOf(navigator.userAgent, navigator.maxTouchPoints)
  const { title, steps } = helpFor(problem, { browser, secure: window.isSecureContext })
  return (
    <div role="alert">
      <Alert
        tone="bad"
        title={title}
        actions={
          onAgain && (
            <Button variant="ghost" onClick={onAgain}>
              Volver a intentar
            </Button>
          )
        }
      >
        <ol className="list-decimal space-y-1 pl-5">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Alert>
    </div>
  )
}
