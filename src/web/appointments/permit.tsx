import { DocumentField } from '../documents/document-field.tsx'
import { DocumentLink, type ShownDocument } from '../documents/document-link.tsx'
import { Details } from '../ui/details.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type PermitProps = { document: ShownDocument | null; result: FormResult | undefined }

/** The condominium's permit: what was handed in, which another may replace, or the way to hand it in. */
export function Permit({ document, result }: PermitProps) {
  if (!document) return <HandIn result={result} />
  return (
    <div className="grid justify-items-start gap-3">
      <DocumentLink document={document} />
      <Details summary="Cambiar el archivo" open={result !== undefined} className="w-full">
        <HandIn result={result} />
      </Details>
    </div>
  )
}

const HandIn = ({ result }: Pick<PermitProps, 'result'>) => (
  <Form result={result} encType="multipart/form-data">
    <DocumentField purpose="condominium_permit" name="permit" label="Permiso del condominio" />
    <Submit name="intent" value="hand-in-permit" variant="ghost" className="justify-self-start max-sm:w-full">
      Entregar permiso
    </Submit>
  </Form>
)
