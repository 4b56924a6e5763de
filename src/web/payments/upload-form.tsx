import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type UploadFormProps = { result: FormResult | undefined; isFirst: boolean }

/** Hands in a file of the bank's movements. */
export const UploadForm = ({ result, isFirst }: UploadFormProps) => (
  <Card title="Sube los movimientos de tu banco" className="max-w-3xl">
    <p className="text-mute">
      {isFirst
        ? 'Descárgalos de la banca en línea como CSV. Los comparamos con los pagos que esperas, y tú confirmas.'
        : 'Puedes subir días que ya subiste: cada movimiento cuenta una vez.'}
    </p>
    <Form result={result} encType="multipart/form-data">
      <Field
        type="file"
        label="Archivo CSV"
        name="file"
        accept=".csv,.txt,text/csv,text/plain"
        help="Hasta 1 MB. En el paso siguiente ves qué columna es cuál."
      />
      <Submit name="intent" value="upload-statement" className="justify-self-start max-sm:w-full">
        Subir archivo
      </Submit>
    </Form>
  </Card>
)
