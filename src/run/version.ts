declare const __ASSAY_VERSION__: string | undefined;

/** Set by the build; from source there is none. */
export const version = typeof __ASSAY_VERSION__ === 'string' ? __ASSAY_VERSION__ : '0.0.0-source';
