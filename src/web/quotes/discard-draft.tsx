import { Dialog } from '../ui/dialog.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type DiscardProps = { version: number; result: FormResult | undefined }

/** Throws a draft away, after asking. */
export const DiscardDraft = ({ version, result }: DiscardProps) => (
  <div className="justify-self-start">
    <Dialog
      trigger="Descartar borrador"
      variant="ghost"
      title="¿Descartar este borrador?"
      description="Se borra lo que escribiste. El cliente nunca lo vio."
      defaultOpen={result !== undefined}
    >
      <Form result={result}>
        <input type="hidden" name="version" value={version} />
        <Submit name="intent" value="discard-quote" variant="destructive">
          Sí, descartar
        </Submit>
      </Form>
    </Dialog>
  </div>
)
