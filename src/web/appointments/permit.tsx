import { DocumentField } from '../documents/document-field.tsx'
import { DocumentLink, type ShownDocument } from '../documents/document-link.tsx'
import { Details } from '../ui/details.tsx'
import { Form, useFormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** The condominium's permit: what was handed in, which another may replace, or the way to hand it in. */
export function Permit({ document }: { document: ShownDocument | null }) {
  const isSent = useFormResult('hand-in-permit') !== undefined
  if (!document) return <HandIn />
  return (
    <div className="grid justify-items-start gap-3">
      <DocumentLink document={document} />
      <Details summary="Cambiar el archivo" open={isSent} className="w-full">
        <HandIn />
      </Details>
    </div>
  )
}

const HandIn = () => (
  <Form intent="hand-in-permit" encType="multipart/form-data">
    <DocumentField purpose="condominium_permit" name="permit" label="Permiso del condominio" />
    <Submit variant="ghost" className="justify-self-start max-sm:w-full">
      Entregar permiso
    </Submit>
  </Form>
)
