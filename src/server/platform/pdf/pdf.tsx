import { Image, Path, Rect, Svg, Text, View } from '@react-pdf/renderer'
import sharp from 'sharp'
import { CodeCardDocument, FactRows, Frame, Outstanding, printable, Sentences, styles } from './frame.tsx'
import { LetterDocument, LettersDocument } from './letters.tsx'
import type {
  ComparedOptions,
  Handover,
  Paper,
  PaperLine,
  PaperOption,
  PdfPicture,
  QuotePaper,
  ReceiptPaper,
  Row,
  StatementLine,
  StatementPaper,
} from './paper.ts'
import { as, taggedPdf } from './tagged.ts'

/** The document's bytes. Takes a few tenths of a second of processor time. */
export const pdfOf = async (paper: Paper): Promise<Uint8Array> => taggedPdf(await documentOf(paper))

async function documentOf(paper: Paper) {
  switch (paper.kind) {
    case 'handover':
      return <HandoverDocument paper={await withPictures(paper)} />
    case 'quote':
      return <QuoteDocument paper={paper} />
    case 'receipt':
      return <ReceiptDocument paper={paper} />
    case 'statement':
      return <StatementDocument paper={paper} />
    case 'letter':
      return <LetterDocument paper={paper} />
    case 'letters':
      return <LettersDocument paper={paper} />
    case 'code':
      return <CodeCardDocument paper={paper} />
  }
}

async function withPictures(paper: Handover): Promise<Handover> {
  const [photos, signatures] = await Promise.all([
    Promise.all(paper.photos.map(inJpeg)),
    Promise.all(paper.signatures.map(inJpeg)),
  ])
  return { ...paper, photos, signatures }
}

/** A PDF holds JPEG, and small pictures are kept as WebP. */
async function inJpeg<One extends PdfPicture>(picture: One): Promise<One> {
  const { bytes } = picture
  return bytes
    ? { ...picture, bytes: await sharp(bytes).flatten({ background: '#fff' }).jpeg().toBuffer() }
    : picture
}

/** The customer's receipt of a payment. */
const ReceiptDocument = ({ paper }: { paper: ReceiptPaper }) => (
  <Frame {...paper}>
    <Outstanding {...paper.amount} />
    <View style={styles.columns}>
      <FactRows beside title="Cliente" rows={paper.people} />
      <FactRows beside title="Pago" rows={paper.payment} />
    </View>
    <View style={styles.section}>
      <Sums sums={paper.sums} />
      <Text style={styles.small}>{printable(paper.inWords)}</Text>
    </View>
    <FactRows title="Emite" rows={paper.issuer} />
    <Sentences title="Lo que conviene saber" lines={paper.notes} />
  </Frame>
)

/** The customer's document of an installation. */
const HandoverDocument = ({ paper }: { paper: Handover }) => (
  <Frame {...paper} title="Entrega de tu cargador" subtitle={`Instalado el ${paper.day}`}>
    {paper.warranty && <Outstanding label="Tu garantía vale hasta el" value={paper.warranty} />}
    <View style={styles.columns}>
      <FactRows beside title="Cliente y lugar" rows={paper.people} />
      <FactRows beside title="Cargador e instalación" rows={paper.charger} />
    </View>
    {paper.deviations.length > 0 && <Sentences title="Frente a lo acordado" lines={paper.deviations} />}
    <Tests tests={paper.tests} />
    <FactRows title="Lo que confirma tu técnico" rows={paper.walkthrough} />
    {paper.covered.length > 0 && <Sentences title="Tu garantía" lines={paper.covered} />}
    <Sentences title="Si algo falla" lines={paper.faults} />
    <View style={styles.columns} wrap={false}>
      <FactRows beside title="Entrega" rows={paper.issuer} />
      <ProofOf {...paper.proof} />
    </View>
    <Signatures signatures={paper.signatures} />
    <Photos photos={paper.photos} />
  </Frame>
)

/** Where the paper can be checked. */
const ProofOf = ({ link, qr }: Handover['proof']) => (
  <View style={[styles.column, styles.columns]}>
    <Svg viewBox={`0 0 ${qr.size} ${qr.size}`} style={styles.code}>
      <Rect width={qr.size} height={qr.size} fill="#fff" />
      <Path d={qr.path} fill="#000" />
    </Svg>
    <View style={styles.column}>
      <Text style={styles.caption}>¿Es auténtico?</Text>
      <Text style={styles.small}>
        Escanea el código: nuestra página dice su folio, su fecha y hasta cuándo vale la garantía, y nada más.
      </Text>
      {/* Its secret alone takes the width. */}
      {link.split(/(?<=\/)(?=[^/]+$)/).map((part) => (
        <Text key={part} style={styles.hash}>
          {printable(part)}
        </Text>
      ))}
    </View>
  </View>
)

const Tests = ({ tests }: Pick<Handover, 'tests'>) => (
  <View style={styles.section}>
    <Text {...as('H2')} style={styles.heading}>
      Pruebas
    </Text>
    <View {...as('Table')}>
      {tests.map(({ label, limit, passed, value }) => (
        <View key={label} {...as('TR')} style={styles.row} wrap={false}>
          <Text {...as('TH')} style={styles.test}>
            {printable(label)}
          </Text>
          <Text {...as('TD')} style={styles.measured}>
            {printable(value)}
          </Text>
          <Text {...as('TD')} style={passed ? styles.passed : styles.failed}>
            {passed ? '✓ Pasa' : '✗ No pasa'}
          </Text>
          <Text {...as('TD')} style={styles.label}>
            {printable(limit ?? '')}
          </Text>
        </View>
      ))}
    </View>
  </View>
)

/** An agency's commissions of a month, with single lines for actors who may see them. */
const StatementDocument = ({ paper }: { paper: StatementPaper }) => (
  <Frame {...paper}>
    <Outstanding {...paper.closing} />
    <View style={styles.section}>
      <Sums sums={paper.account} />
    </View>
    <FactRows title="Comisiones del mes, por estado" rows={paper.states} />
    <Lines lines={paper.lines} />
    {paper.transfers.length > 0 && <FactRows title="Transferencias del mes" rows={paper.transfers} />}
    <FactRows title="Emite" rows={paper.issuer} />
    <Sentences title="Lo que conviene saber" lines={paper.notes} />
  </Frame>
)

const Lines = ({ lines }: { lines: readonly StatementLine[] }) => (
  <View style={styles.section}>
    <Text {...as('H2')} style={styles.heading} minPresenceAhead={60}>
      Movimientos del mes
    </Text>
    {lines.length === 0 && <Text style={styles.paragraph}>No hubo comisiones ni ajustes.</Text>}
    {lines.map(({ amount, basis, day, state, what }, nth) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two lines may say the same
      <View key={nth} {...as('TR')} style={styles.row} wrap={false}>
        <Text {...as('TH')} style={styles.day}>
          {day}
        </Text>
        <View {...as('TD')} style={styles.what}>
          <Text>{printable(what)}</Text>
          <Text>{printable(basis)}</Text>
        </View>
        <Text {...as('TD')} style={styles.state}>
          {state}
        </Text>
        <Text {...as('TD')} style={styles.figure}>
          {amount}
        </Text>
      </View>
    ))}
  </View>
)

/** The photos, small, each with its digest. */
const Photos = ({ photos }: Pick<Handover, 'photos'>) => (
  <View break style={styles.section}>
    <Text {...as('H2')} style={styles.heading}>
      Fotos
    </Text>
    <Text style={[styles.small, styles.paragraph]}>
      El código SHA-256 es la huella de cada foto completa, que guardamos: si cambia un solo punto, cambia el
      código.
    </Text>
    <View style={styles.grid}>
      {photos.map((photo) => (
        <View key={photo.label} style={styles.picture} wrap={false}>
          <View style={styles.frame}>
            <Shown picture={photo} />
          </View>
          <Text style={styles.caption}>{printable(photo.label)}</Text>
          <Proof {...photo} />
        </View>
      ))}
    </View>
  </View>
)

/** Both signatures, each above the signer's name. */
const Signatures = ({ signatures }: Pick<Handover, 'signatures'>) => (
  <View style={styles.section} wrap={false}>
    <Text {...as('H2')} style={styles.heading}>
      Firmas
    </Text>
    <Text style={styles.paragraph}>Recibí de conformidad lo que dice este documento.</Text>
    <View style={styles.columns}>
      {signatures.map((signature) => (
        <View key={signature.label} style={styles.signature}>
          <View style={styles.signed}>
            <Shown picture={signature} />
          </View>
          <Text style={styles.caption}>{printable(signature.name)}</Text>
          <Text style={styles.small}>{printable(signature.label)}</Text>
          <Proof {...signature} />
        </View>
      ))}
    </View>
  </View>
)

const Shown = ({ picture: { bytes, label } }: { picture: PdfPicture }) =>
  bytes ? (
    <Image {...as('Figure', label)} src={{ data: Buffer.from(bytes), format: 'jpg' }} style={styles.image} />
  ) : (
    <Text style={styles.small}>Sin imagen</Text>
  )

const Proof = ({ sha256, taken }: PdfPicture) => (
  <>
    <Text style={styles.small}>{printable(taken)}</Text>
    <Digest of={sha256} />
  </>
)

/** In two lines, neither of which has a line break: the font has no sign for it. */
const Digest = ({ of: digest }: { of: string }) => (
  <>
    <Text style={styles.hash}>{`SHA-256 ${digest.slice(0, 32)}`}</Text>
    <Text style={styles.hash}>{digest.slice(32)}</Text>
  </>
)

/** A version of a quote as it was sent, with the digest that proves it unchanged. */
const QuoteDocument = ({ paper }: { paper: QuotePaper }) => (
  <Frame {...paper} title="Cotización">
    {paper.notice && <Outstanding {...paper.notice} />}
    <View style={styles.columns}>
      <FactRows beside title="Para" rows={paper.people} />
      <FactRows beside title="De" rows={paper.issuer} />
    </View>
    {paper.compared && <Compared {...paper.compared} />}
    {paper.basis && <Text style={styles.paragraph}>{printable(paper.basis)}</Text>}
    <Text style={[styles.small, styles.paragraph]}>
      Las partidas van sin IVA y suman el subtotal. El IVA se redondea en cada partida.
    </Text>
    {paper.options.map((option) => (
      <Option key={option.title} {...option} />
    ))}
    {paper.terms.map((terms) => (
      <Sentences key={terms.title} {...terms} />
    ))}
    <View wrap={false}>
      <Text style={styles.small}>
        Esta es la huella SHA-256 de lo que te enviamos: si cambia una sola cifra, cambia la huella.
      </Text>
      <Digest of={paper.digest} />
    </View>
  </Frame>
)

/** The options in a column each. */
const Compared = ({ heads, rows }: ComparedOptions) => (
  <View style={styles.section}>
    <Text {...as('H2')} style={styles.heading} minPresenceAhead={60}>
      Las opciones, lado a lado
    </Text>
    <View {...as('Table')}>
      <View {...as('TR')} style={styles.row} wrap={false}>
        <Text {...as('TH')} style={styles.what}>
          {' '}
        </Text>
        {heads.map((head) => (
          <Text key={head} {...as('TH')} style={[styles.figure, styles.strong]}>
            {printable(head)}
          </Text>
        ))}
      </View>
      {rows.map(({ isTotal, label, values }, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two items may have one name
        <View key={nth} {...as('TR')} style={styles.row} wrap={false}>
          <Text {...as('TH')} style={isTotal ? [styles.what, styles.strong] : styles.what}>
            {printable(label)}
          </Text>
          {values.map((value, at) => (
            <Text
              key={heads[at]}
              {...as('TD')}
              style={isTotal ? [styles.figure, styles.strong] : styles.figure}
            >
              {printable(value)}
            </Text>
          ))}
        </View>
      ))}
    </View>
  </View>
)

/**
 * Neither its heading nor its total is left alone at the end of a page: three lines stay with each. What may be added
 * comes after the total, which leaves it out.
 */
function Option({ title, note, lines, addOns, sums }: PaperOption) {
  const last = Math.max(3, lines.length - 3)
  return (
    <View style={styles.option}>
      <View wrap={false}>
        <Text {...as('H2')} style={styles.heading}>
          {printable(title)}
        </Text>
        {note !== '' && <Text style={[styles.small, styles.paragraph]}>{printable(note)}</Text>}
        <View {...as('Table')}>
          <Heads />
          <QuoteLines lines={lines.slice(0, 3)} />
        </View>
      </View>
      <View {...as('Table')}>
        <QuoteLines lines={lines.slice(3, last)} />
      </View>
      <View wrap={false}>
        <View {...as('Table')}>
          <QuoteLines lines={lines.slice(last)} />
        </View>
        <View style={styles.sums}>
          <Sums sums={sums} />
        </View>
      </View>
      {addOns.length > 0 && (
        <View style={styles.apart} wrap={false}>
          <Text {...as('H3')} style={styles.subheading}>
            {printable(`Opcional en ${title}: no está en el total`)}
          </Text>
          <View {...as('Table')}>
            <QuoteLines lines={addOns} />
          </View>
        </View>
      )}
    </View>
  )
}

const Heads = () => (
  <View {...as('TR')} style={styles.row} wrap={false}>
    <Text {...as('TH')} style={[styles.what, styles.small]}>
      Concepto
    </Text>
    <Text {...as('TH')} style={[styles.figure, styles.small]}>
      Cantidad
    </Text>
    <Text {...as('TH')} style={[styles.figure, styles.small]}>
      Precio sin IVA
    </Text>
    <Text {...as('TH')} style={[styles.figure, styles.small]}>
      Importe sin IVA
    </Text>
  </View>
)

const QuoteLines = ({ lines }: { lines: readonly PaperLine[] }) =>
  lines.map(({ description, quantity, unitPrice, amount }, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: laid out once, and two lines may say the same
    <View key={nth} {...as('TR')} style={styles.row} wrap={false}>
      <Text {...as('TH')} style={styles.what}>
        {printable(description)}
      </Text>
      <Text {...as('TD')} style={styles.figure}>
        {printable(quantity)}
      </Text>
      <Text {...as('TD')} style={styles.figure}>
        {printable(unitPrice)}
      </Text>
      <Text {...as('TD')} style={styles.figure}>
        {printable(amount)}
      </Text>
    </View>
  ))

type SumsProps = { sums: readonly (Row & { isTotal?: boolean })[] }

/** Amounts that belong together, on one page; where none is marked as the total, all stand out. */
const Sums = ({ sums }: SumsProps) => (
  <View {...as('Table')} wrap={false}>
    {sums.map(({ isTotal, label, value }) => (
      <View key={label} {...as('TR')} style={styles.sum}>
        <Text {...as('TH')} style={isTotal ? [styles.what, styles.strong] : styles.what}>
          {printable(label)}
        </Text>
        <Text {...as('TD')} style={isTotal === false ? styles.amount : [styles.amount, styles.strong]}>
          {printable(value)}
        </Text>
      </View>
    ))}
  </View>
)
