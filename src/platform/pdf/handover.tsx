import { Image, Path, Rect, Svg, Text, View } from '@react-pdf/renderer'
import sharp from 'sharp'
import { FactRows, Frame, Outstanding, printable, Sentences, styles } from './frame.tsx'
import type { Handover, PdfPicture } from './paper.ts'
import { as, moreOfTable } from './tagged.ts'

/** The same document with its pictures as a PDF holds them. */
export async function withPictures(paper: Handover): Promise<Handover> {
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

/** The customer's document of an installation. */
export const HandoverDocument = ({ paper }: { paper: Handover }) => (
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
    {paper.calculation.length > 0 && (
      <>
        <FactRows title="Memoria de cálculo" rows={paper.calculation} />
        <Sentences title="Cómo se calculó" lines={paper.basis} />
      </>
    )}
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
    <View wrap={false}>
      <Text {...as('H2')} style={styles.heading}>
        Pruebas
      </Text>
      <View {...as('Table')}>
        <TestRows tests={tests.slice(0, 1)} />
      </View>
    </View>
    <View {...moreOfTable}>
      <TestRows tests={tests.slice(1)} />
    </View>
  </View>
)

const TestRows = ({ tests }: Pick<Handover, 'tests'>) =>
  tests.map(({ label, limit, passed, value }) => (
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
  ))

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
          {signature.credential && <Text style={styles.small}>{printable(signature.credential)}</Text>}
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

/** A SHA-256, in two lines, neither of which has a line break: the font has no sign for it. */
export const Digest = ({ of: digest }: { of: string }) => (
  <>
    <Text style={styles.hash}>{`SHA-256 ${digest.slice(0, 32)}`}</Text>
    <Text style={styles.hash}>{digest.slice(32)}</Text>
  </>
)
