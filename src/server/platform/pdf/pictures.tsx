import { Image, Text, View } from '@react-pdf/renderer'
import { inHelvetica } from './helvetica.ts'
import type { Handover, Picture } from './paper.ts'
import { styles } from './styles.ts'

/** The photos, small, each with what proves which one it is. */
export const Photos = ({ photos }: Pick<Handover, 'photos'>) => (
  <View break style={styles.section}>
    <Text style={styles.heading}>Fotos</Text>
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
          <Text style={styles.caption}>{inHelvetica(photo.label)}</Text>
          <Proof {...photo} />
        </View>
      ))}
    </View>
  </View>
)

/** Both signatures, each over the name of who signed. */
export const Signatures = ({ signatures }: Pick<Handover, 'signatures'>) => (
  <View style={styles.section} wrap={false}>
    <Text style={styles.heading}>Firmas</Text>
    <View style={styles.columns}>
      {signatures.map((signature) => (
        <View key={signature.label} style={styles.signature}>
          <View style={styles.signed}>
            <Shown picture={signature} />
          </View>
          <Text style={styles.caption}>{inHelvetica(signature.name)}</Text>
          <Text style={styles.small}>{inHelvetica(signature.label)}</Text>
          <Proof {...signature} />
        </View>
      ))}
    </View>
  </View>
)

const Shown = ({ picture: { bytes } }: { picture: Picture }) =>
  bytes ? (
    <Image src={{ data: Buffer.from(bytes), format: 'jpg' }} style={styles.image} />
  ) : (
    <Text style={styles.small}>Sin imagen</Text>
  )

const Proof = ({ sha256, taken }: Picture) => (
  <>
    <Text style={styles.small}>{inHelvetica(taken)}</Text>
    <Text style={styles.hash}>{`SHA-256 ${sha256.slice(0, 32)}\n${sha256.slice(32)}`}</Text>
  </>
)
