import { Checkbox, Field } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { PhotoImage } from '../../photos/photo-image.tsx'
import { Card } from '../../ui/card.tsx'
import type { EditedVisitCard } from '../visit-card.ts'

/** Photo and vehicle of a person who visits customers: their own, or any person's for the manager. */
export const VisitCard = ({ card }: { card: EditedVisitCard }) => (
  <Card id="quien-llega" title="Foto y vehículo">
    <p className="text-[0.9375rem] text-mute">
      Con esto el cliente sabe a quién abrirle. Lo ven solo los clientes con una visita confirmada, hasta que
      termina.
    </p>
    <Form
      intent="visit-card"
      encType="multipart/form-data"
      key={`${card.photoTag} ${card.plates} ${card.credential}`}
    >
      {card.photoTag && (
        <PhotoImage
          src={`/files/${card.id}/portrait?${card.photoTag}`}
          alt="La foto que ven los clientes"
          className="size-24 rounded-full object-cover"
        />
      )}
      <Field
        label={card.photoTag ? 'Otra foto' : 'Foto'}
        name="file"
        type="file"
        accept="image/*"
        optional
        help="De frente, con buena luz. Hasta 12&nbsp;MB."
      />
      {card.photoTag && <Checkbox label="Quitar la foto" name="withoutPhoto" value="yes" />}
      <div className="grid gap-4 sm:grid-cols-3">
        <Field
          label="Vehículo"
          name="vehicle"
          optional
          maxLength={60}
          autoComplete="off"
          defaultValue={card.vehicle ?? ''}
          help="Marca y modelo"
        />
        <Field
          label="Color"
          name="colour"
          optional
          maxLength={30}
          autoComplete="off"
          defaultValue={card.colour ?? ''}
        />
        <Field
          label="Placas"
          name="plates"
          optional
          maxLength={12}
          autoComplete="off"
          defaultValue={card.plates ?? ''}
          help="Como ABC-12-34"
        />
      </div>
      {card.writesCredential ? (
        <Field
          label="Cédula o certificado"
          name="credential"
          optional
          maxLength={80}
          autoComplete="off"
          defaultValue={card.credential ?? ''}
          help="Como «Electricista certificado EC0118, folio D-0000123». El cliente lo ve con su foto y en su entrega."
        />
      ) : (
        card.credential && (
          <p className="text-[0.9375rem]">
            <span className="text-mute">Cédula o certificado:</span> {card.credential}
          </p>
        )
      )}
      <Submit variant="ghost" className="sm:justify-self-start">
        Guardar foto y vehículo
      </Submit>
    </Form>
  </Card>
)
