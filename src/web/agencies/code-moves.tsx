import type { AskableMove, ListedCode } from '../../server/agencies/codes-queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

const words: Record<AskableMove, { label: string; note: string }> = {
  activate: { label: 'Activar', note: 'Desde entonces se puede usar.' },
  ask: { label: 'Pedir aprobación', note: 'Da más de lo que tu concesionaria puede dar por sí sola.' },
  pause: { label: 'Pausar', note: 'Nadie lo puede usar hasta que lo reanudes.' },
  resume: { label: 'Reanudar', note: 'Se puede usar otra vez.' },
  revoke: { label: 'Revocar', note: 'Para siempre. Quien ya lo usó conserva su beneficio.' },
}

/** What can be done with a code, each with what that means. */
export function CodeMoves({ code }: { code: ListedCode }) {
  const which = { intent: code.moves.map((name) => `codes.${name}`), target: { codeId: code.id } }
  const result = useFormResult(which.intent, which.target)
  return (
    <Dialog
      key={code.version}
      trigger={
        <>
          Cambiar<span className="sr-only"> {code.text}</span>
        </>
      }
      variant="ghost"
      title={`Código ${code.text}`}
      description={code.benefit}
      defaultOpen={result !== undefined}
    >
      <Form {...which} className="gap-4">
        <input type="hidden" name="version" value={code.version} />
        {code.moves.map((name) => (
          <div key={name} className="grid gap-1.5">
            <Submit
              name="intent"
              value={`codes.${name}`}
              variant={name === 'revoke' ? 'destructive' : name === 'pause' ? 'ghost' : 'primary'}
            >
              {words[name].label}
            </Submit>
            <p className="text-sm text-mute">{words[name].note}</p>
          </div>
        ))}
      </Form>
    </Dialog>
  )
}
