import { thousands } from '../../domain/shared/format.ts'
import type { ListedCode } from '../../server/agencies/codes-queries.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { validity } from './code-table.tsx'

/** Codes that give more than their agency may by itself, each with the two answers. */
export const CodesToApprove = ({ codes }: { codes: readonly ListedCode[] }) => (
  <Card title="Por aprobar">
    <p className="text-[0.9375rem] text-mute">
      Dan más que el límite de la concesionaria. No sirven hasta que los apruebes.
    </p>
    <ul className="grid gap-4">
      {codes.map((code) => (
        <li
          key={code.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4"
        >
          <div className="min-w-0">
            <p>
              <span className="font-mono font-semibold tracking-wide">{code.text}</span>, {code.benefit}
            </p>
            <p className="text-[0.9375rem] text-mute">
              Lo pide {code.owner}. {validity(code)}, para {thousands(code.maxUses)}{' '}
              {code.maxUses === 1 ? 'persona' : 'personas'}.
            </p>
          </div>
          <Answers code={code} />
        </li>
      ))}
    </ul>
  </Card>
)

function Answers({ code }: { code: ListedCode }) {
  const target = { codeId: code.id }
  const isRefusing = useFormResult('codes.refuse', target) !== undefined
  const about = <input type="hidden" name="version" value={code.version} />
  return (
    <div className="flex flex-wrap gap-3">
      <Form intent="codes.approve" target={target}>
        {about}
        <Submit>
          Aprobar<span className="sr-only"> {code.text}</span>
        </Submit>
      </Form>
      <Dialog
        key={code.version}
        trigger={
          <>
            No aprobar<span className="sr-only"> {code.text}</span>
          </>
        }
        variant="ghost"
        title={`¿No aprobar ${code.text}?`}
        description="Queda revocado, y quien lo pidió lee por qué."
        defaultOpen={isRefusing}
      >
        <Form intent="codes.refuse" target={target}>
          {about}
          <Field label="Por qué" name="reason" maxLength={200} autoComplete="off" />
          <Submit variant="destructive">No aprobar</Submit>
        </Form>
      </Dialog>
    </div>
  )
}
