/** Reads the bill of materials that npm writes (CycloneDX) on stdin, and writes that of the binary. */
import manifest from '../package.json' with { type: 'json' }

interface Component {
  'bom-ref': string
  name: string
  scope?: string
  properties?: { name: string }[]
}

/** Development package whose script the binary serves. */
const reference = '@scalar/fastify-api-reference'

/**
 * Returns whether the binary contains the package, or a package that needs it. `npm sbom --omit dev` would also omit
 * packages that both the service and a development package need, such as `jose`. The last condition excludes
 * development packages that libraries of the service can use but do not need.
 */
const isShipped = ({ name, scope, properties = [] }: Component): boolean =>
  name === reference ||
  (!properties.some(({ name }) => name === 'cdx:npm:package:development') &&
    !(scope === 'optional' && name in manifest.devDependencies))

const bom = await Bun.stdin.json()
const { component } = bom.metadata
// npm names the service after the folder.
const npmRef: string = component['bom-ref']
const ref = `${manifest.name}@${manifest.version}`
Object.assign(component, { name: manifest.name, 'bom-ref': ref, purl: `pkg:npm/${ref}` })

const runtime = {
  'bom-ref': `bun@${Bun.version}`,
  type: 'platform',
  name: 'bun',
  version: Bun.version,
  scope: 'required',
  purl: `pkg:npm/bun@${Bun.version}`,
  licenses: [{ license: { id: 'MIT' } }],
}
const packages = (bom.components as Component[]).filter(isShipped)
const refs = new Set(packages.map(one => one['bom-ref']))
const dependencies = (bom.dependencies as { ref: string; dependsOn: string[] }[]).map(one => ({
  ref: one.ref === npmRef ? ref : one.ref,
  dependsOn: one.dependsOn.filter(to => refs.has(to)).concat(one.ref === npmRef ? runtime['bom-ref'] : []),
}))
bom.components = [...packages, runtime]
bom.dependencies = [
  ...dependencies.filter(one => one.ref === ref || refs.has(one.ref)),
  { ref: runtime['bom-ref'], dependsOn: [] },
]
console.log(JSON.stringify(bom, null, 2))
